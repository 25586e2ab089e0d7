/**
 * Reloads open pages during development: the server sends them the id of the code that it runs, and
 * why a newer one could not be built.
 */

import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { AdminOptions } from '../../admin/compose/admin-options.ts'
import { OWN_CLIENT } from '../../admin/compose/client-folders.ts'
import { loadClient } from '../../server/http/client-files.ts'
import { EVENTS_PATH, failedEvent, onFailure, RETRY_MS } from './followed.ts'

const SCRIPT_PATH = '/tablewire/dev/follow.js'

/** The built script that pages load for this. */
const SCRIPT = join(OWN_CLIENT, '../client/follow.js')

export type ServedCode = {
  /** Changes with every build, except for one of style sheets alone. */
  readonly code: string
  /** Folder of the browser's files. Default: the package's own. */
  readonly folder?: string | undefined
  /** What every address of the admin begins with. Default: nothing. */
  readonly prefix?: string | undefined
}

export const liveReload =
  ({ code, folder = OWN_CLIENT, prefix = '' }: ServedCode): NonNullable<AdminOptions['extend']> =>
  async (app) => {
    const { files } = await loadClient(folder)
    const script = await readFile(SCRIPT, 'utf8')
    const build = JSON.stringify({ code, styles: files.styles })
    const open = new Set<ServerResponse>()
    let failure: string | null = null
    onFailure((text) => {
      failure = text
      for (const response of open) response.write(failedEvent(text))
    })

    app.get(prefix + SCRIPT_PATH, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(script),
    )
    app.get(prefix + EVENTS_PATH, (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      reply.raw.write(`retry: ${RETRY_MS}\ndata: ${build}\n\n`)
      if (failure !== null) reply.raw.write(failedEvent(failure))
      open.add(reply.raw)
      reply.raw.once('close', () => open.delete(reply.raw))
    })
    // The server waits for open answers before it stops, and these never end by themselves.
    app.addHook('preClose', async () => open.forEach((response) => response.end()))

    app.addHook('onSend', async (_request, reply, payload) => {
      // Documents are sent as bytes.
      const html = Buffer.isBuffer(payload) ? payload.toString() : payload
      if (typeof html !== 'string' || !html.startsWith('<!doctype html>')) return payload
      const query = new URLSearchParams({ code, events: prefix + EVENTS_PATH })
      const tag = `<script type="module" src="${prefix}${SCRIPT_PATH}?${query.toString().replaceAll('&', '&amp;')}" nonce="${reply.nonce}"></script>`
      return html.replace('</head>', `${tag}\n</head>`)
    })
  }
