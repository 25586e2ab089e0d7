/** An application that nothing keeps running but its server and the admin in it; closes both on a signal. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openDatabase } from '../../src/cli/open-database.ts'
import { SHOP_TABLES } from '../everything-open.ts'
import { ANA, HOST_SIGN_IN, people } from './guest.ts'

const [address = '', dataFolder = ''] = process.argv.slice(2)
people.set('ana', ANA)
const admin = await createAdmin({
  source: await openDatabase(address),
  ...{ dataFolder, auth: HOST_SIGN_IN, definitions: SHOP_TABLES, write: true, live: true },
})
const server = createServer((request, response) => {
  if (!admin.handle(request, response)) response.end('mine')
}).on('upgrade', (request, socket, head) => void admin.upgrade(request, socket, head))
await once(server.listen(0, '127.0.0.1'), 'listening')
// It listens on a port.
const { port } = server.address() as AddressInfo
process.once('SIGTERM', () => {
  server.close()
  void admin.close().then(() => console.log('closed'))
})
console.log(`http://127.0.0.1:${port}`)
