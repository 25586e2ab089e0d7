/** Reloads open pages during development: the server sends them the id of the code that it runs. */

import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { AdminOptions } from '../../admin/compose/admin-options.ts'
import { OWN_CLIENT } from '../../admin/compose/client-folders.ts'
import { loadClient } from '../../server/http/client-files.ts'

const SCRIPT_PATH = '/tablewire/dev/follow.js'
const EVENTS_PATH = '/tablewire/dev/events'
/** How soon a page reconnects after the server has gone, ms. */
const RETRY_MS = 200

/** The built script that pages load for this. */
const SCRIPT = join(OWN_CLIENT, '../client/follow.js')

export type ServedCode = {
  /** Changes with every build, except for one of style sheets alone. */
  readonly code: string
  /** Folder of the browser's files. Default: the package's own. */
  readonly folder?: string | undefined
}

export const liveReload =
  ({ code, folder = OWN_CLIENT }: ServedCode): NonNullable<AdminOptions['extend']> =>
  async (app) => {
    const { files } = await loadClient(folder)
    const script = await readFile(SCRIPT, 'utf8')
    const build = JSON.stringify({ code, styles: files.styles })
    const open = new Set<ServerResponse>()

    app.get(SCRIPT_PATH, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(script),
    )
    app.get(EVENTS_PATH, (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      reply.raw.write(`retry: ${RETRY_MS}\ndata: ${build}\n\n`)
      open.add(reply.raw)
      reply.raw.once('close', () => open.delete(reply.raw))
    })
    // The server waits for open answers before it stops, and these never end by themselves.
    app.addHook('preClose', async () => open.forEach((response) => response.end()))

    app.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload !== 'string' || !payload.startsWith('<!doctype html>')) return payload
      const query = new URLSearchParams({ code, events: EVENTS_PATH })
      const tag = `<script type="module" src="${SCRIPT_PATH}?${query.toString().replaceAll('&', '&amp;')}" nonce="${reply.cspNonce.script}"></script>`
      return payload.replace('</head>', `${tag}\n</head>`)
    })
  }
