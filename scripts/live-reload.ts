/** Lets open pages follow the development server: new style sheets in place, all else by a reload. */

import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { loadClient } from '../src/server/http/client-files.ts'

const SCRIPT_PATH = '/tablewire/dev/follow.js'
const EVENTS_PATH = '/tablewire/dev/events'
/** How soon a page asks again after the server has gone, ms. */
const RETRY_MS = 200

/** What a server tells each page: the code it runs, and where its style sheets are. */
type Build = { code: string; styles: readonly string[] }

/** `code` is another one after every build that was about more than style sheets. */
export const liveReload =
  (code: string) =>
  async (app: FastifyInstance): Promise<void> => {
    const { files } = await loadClient('dist/assets')
    const build: Build = { code, styles: files.styles }
    const open = new Set<ServerResponse>()

    app.get(SCRIPT_PATH, (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .send(`(${follow.toString()})('${EVENTS_PATH}', import.meta.url)`),
    )
    app.get(EVENTS_PATH, (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      reply.raw.write(`retry: ${RETRY_MS}\ndata: ${JSON.stringify(build)}\n\n`)
      open.add(reply.raw)
      reply.raw.once('close', () => open.delete(reply.raw))
    })
    app.addHook('onListen', async () => void process.send?.(portOf(app.server.address())))
    // A server waits for its answers to end before it stops, and these never would.
    app.addHook('preClose', async () => open.forEach((response) => response.end()))

    app.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload !== 'string' || !payload.startsWith('<!doctype html>')) return payload
      const nonce = reply.cspNonce.script
      const tag = `<script type="module" src="${SCRIPT_PATH}?code=${code}" nonce="${nonce}"></script>`
      return payload.replace('</head>', `${tag}\n</head>`)
    })
  }

const portOf = (address: string | AddressInfo | null): number =>
  typeof address === 'object' && address ? address.port : 0

/** Runs in the browser, so it may use nothing of this file. `own` tells the code of the page. */
function follow(events: string, own: string): void {
  const code = new URL(own).searchParams.get('code')
  new EventSource(events).addEventListener('message', ({ data }: MessageEvent<string>) => {
    const build = JSON.parse(data) as Build
    if (build.code !== code) return location.reload()
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
    for (const href of build.styles) {
      if (links.some((link) => new URL(link.href).pathname === href)) continue
      const fresh = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      // The old ones stay until then, so that the page is never without style.
      fresh.addEventListener('load', () => links.forEach((link) => link.remove()))
      document.head.append(fresh)
    }
  })
}
