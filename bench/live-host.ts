/** An admin in a process of its own, whose signed-in people are named by a header; it tells its port and its reads. */

import { createAdmin } from '../src/admin/compose/create-admin.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { sourceWith } from '../test/source-with.ts'

export type LiveHostAnswer = {
  readonly port?: number
  /** Pages of rows that were read so far. */
  readonly reads: number
  /** CPU time of the process so far, ms. */
  readonly cpu: number
}

const [file = '', dataFolder = '', port = '0'] = process.argv.slice(2)
let reads = 0
const real = await openSqlite(file)
const source = sourceWith(real, {
  page(...given) {
    reads++
    return real.page(...given)
  },
})

const admin = await createAdmin({
  source,
  dataFolder,
  write: true,
  auth: {
    authenticate({ headers }) {
      const id = headers['x-person']
      return typeof id === 'string' ? { id, name: id, role: 'admin', session: id } : undefined
    },
    signInUrl: () => '/sign-in',
  },
})
await admin.app.listen({ host: '127.0.0.1', port: Number(port) })

function answer(more: Pick<LiveHostAnswer, 'port'> = {}): void {
  const { user, system } = process.cpuUsage()
  process.send?.({ ...more, reads, cpu: (user + system) / 1000 } satisfies LiveHostAnswer)
}

process.on('message', () => answer())
const address = admin.app.server.address()
answer({ port: typeof address === 'object' && address ? address.port : 0 })
