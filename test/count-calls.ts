/** Prints how many of our own functions one request of the demo's list calls, as the last of several. */

import { Session } from 'node:inspector/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdmin } from '../src/admin/compose/create-admin.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { copyDemo } from './copy-demo.ts'
import { demoDefinitions } from './demo-definitions.ts'

const isOurs = (url: string) => /\/(src|dist)\//.test(url) && !url.includes('/node_modules/')

const folder = await mkdtemp(join(process.env['TABLEWIRE_RUN_FOLDER'] ?? tmpdir(), 'calls-'))
copyDemo(join(folder, 'demo.sqlite'))
const source = await openSqlite(join(folder, 'demo.sqlite'))
const admin = await createAdmin({
  source,
  definitions: await demoDefinitions(source),
  dataFolder: join(folder, 'data'),
})
const link = await admin.accounts.issueLink({ role: 'admin' })
const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
const browser = { address: '127.0.0.1', userAgent: 'test' }
const { token } = await admin.accounts.redeemLink(link, person, browser)

async function request(): Promise<void> {
  const cookie = `${admin.sessionCookie}=${token}`
  const answer = await admin.app.inject({ url: '/tables/strikes', headers: { cookie } })
  if (answer.statusCode !== 200) throw new Error(`The list answered ${answer.statusCode}.`)
}

for (let round = 0; round < 3; round++) await request()
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await request()
const { result } = await session.post('Profiler.takePreciseCoverage')
const counts = result
  .filter(({ url }) => isOurs(url))
  .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
console.log(counts.reduce((sum, count) => sum + count, 0))
session.disconnect()
await admin.close()
await rm(folder, { recursive: true, force: true })
