/**
 * `npm run bench [rows] [part] [address] [changed rows] [turns]`: measures the figures of docs/performance.md and says which
 * bounds hold. Without an address it creates a SQLite file; `bench/load.ts` fills a server.
 */

import { bulk } from './bulk.ts'
import { countsDoNotDelay, depth, scansDoNotBlock } from './depth.ts'
import { fairness } from './fairness.ts'
import { filters } from './filters.ts'
import { firstList } from './first-list.ts'
import { jumps } from './jumps.ts'
import { ledger } from './ledger.ts'
import type { Figure } from './measure.ts'
import { manyTables } from './many-tables.ts'
import { navigation } from './navigation.ts'
import { roundTrip } from './round-trip.ts'
import { peer } from './peer.ts'
import { live } from './live.ts'
import { realtime } from './realtime.ts'
import { reorder } from './reorder.ts'
import { search } from './search.ts'
import { exporting, selection } from './selection.ts'
import { isServer, openSite } from './site.ts'
import { size } from './size.ts'
import { startUp } from './start-up.ts'
import { typing } from './typing.ts'
import { uploads } from './uploads.ts'
import { writing } from './writing.ts'

// As the command does.
process.env['NODE_ENV'] ??= 'production'
const rows = Number(process.argv[2] ?? 1_000_000)
const [only, address] = process.argv.slice(3)
const figures: Figure[] = []
const site = await openSite(rows, address)
const everywhere = [
  depth,
  jumps,
  filters,
  search,
  fairness,
  firstList,
  peer,
  countsDoNotDelay,
  writing,
  ledger,
  bulk,
  reorder,
  navigation,
  selection,
  exporting,
]
const embedded = [
  typing,
  size,
  manyTables,
  scansDoNotBlock,
  roundTrip,
  startUp,
  realtime,
  live,
  uploads,
]
const parts = isServer(site) ? everywhere : [...everywhere, ...embedded]
for (const part of parts) {
  if (only !== undefined && only !== 'all' && part.name !== only) continue
  console.log(part.name)
  figures.push(...(await part(site)))
}
await site.close()

console.log(
  `\n${site.admin.catalog().schema.engine}, ${rows} rows, Node ${process.versions.node}\n`,
)
for (const { what, value, bound, holds } of figures)
  console.log(
    `${bound === 'reported' ? '     ' : holds ? 'holds' : 'MISSED'}  ${what}: ${value} (${bound})`,
  )
process.exitCode = figures.every(({ holds }) => holds) ? 0 : 1
