/** `npm run bench [rows] [part]`: takes every figure of docs/performance.md and says which bounds hold. */

import { countsDoNotDelay, depth, scansDoNotBlock } from './depth.ts'
import type { Figure } from './measure.ts'
import { roundTrip } from './round-trip.ts'
import { openSite } from './site.ts'
import { size } from './size.ts'
import { startUp } from './start-up.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const only = process.argv[3]
const figures: Figure[] = []
const site = await openSite(rows)
for (const part of [size, depth, countsDoNotDelay, scansDoNotBlock, roundTrip, startUp]) {
  if (only !== undefined && part.name !== only) continue
  console.log(part.name)
  figures.push(...(await part(site)))
}
await site.close()

console.log(`\n${rows} rows, Node ${process.versions.node}\n`)
for (const { what, value, bound, holds } of figures)
  console.log(`${holds ? 'holds' : 'MISSED'}  ${what}: ${value} (${bound})`)
process.exitCode = figures.every(({ holds }) => holds) ? 0 : 1
