/** pusher-js’s own integration specs against our node; they wait some minutes for what must not happen. */

import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isPlain } from '../tier.ts'
import { APP, type Host, startHost } from './host.ts'
import { bundleSpecs, hasSpecs, surround } from './pusher-suite.ts'

/** The application of most specs, and that of the cluster `eu`. */
const KEYS = ['c49a449b916bb4246729', 'cb7d5e50f5669e5c9ae6']
/** Ports of the applications that they ask, in the order of their keys. */
const PORTS = ['3000', '3001']

if (!isPlain && !hasSpecs) process.stderr.write('\nSKIPPED: pusher-js came without its specs\n')

describe.runIf(!isPlain && hasSpecs)('pusher-js’s own specs', async () => {
  if (isPlain || !hasSpecs) return
  const hosts: Host[] = []
  beforeAll(async () => {
    for (const key of KEYS) hosts.push(await startHost({ app: { ...APP, key } }))
  })
  afterAll(async () => {
    takeBack()
    for (const host of hosts) await host.close()
  })
  const takeBack = surround({
    socketOrigin: (key) => `ws://127.0.0.1:${hosts[KEYS.indexOf(key)]?.port ?? 1}`,
    async answer({ port, pathname, searchParams }, form) {
      const library = hosts[PORTS.indexOf(port)]?.library
      if (!library) return undefined
      const field = (name: string) => Buffer.from(searchParams.get(name) ?? '', 'base64').toString()
      if (pathname.startsWith('/v2/send/'))
        return library.trigger(field('channel'), field('event'), JSON.parse(field('data')))
      const id = form.get('socket_id') ?? ''
      const member = { name: `Integration ${id}`, email: `integration-${id}@example.com` }
      const channel = form.get('channel_name') ?? ''
      return library.authorizeChannel(id, channel, { user_id: id, user_info: member })
    },
  })
  const around = { describe, it, beforeAll, afterAll, beforeEach, afterEach, expect }
  const script = new Script(
    `(function (require, ${Object.keys(around).join()}) {${await bundleSpecs()}})`,
  )
  // The script is a function of what stands above.
  const declare = script.runInThisContext() as (...given: unknown[]) => void
  declare(createRequire(import.meta.url), ...Object.values(around))
})
