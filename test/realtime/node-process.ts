/** A node in a process of its own, which a test can kill: prints its port. */

import { redisBus } from '../../src/realtime/redis-bus.ts'
import { startHost } from './host.ts'

const [url = '', name = '', secret = ''] = process.argv.slice(2)
const { port } = await startHost({
  app: { id: '1', key: 'a-key', secret },
  bus: await redisBus({ url, name }),
})
console.log(port)
