/**
 * A process that makes changes and is killed at a step of them: settles what the one before it has left, and
 * prints the token of each change that was acknowledged.
 */

import { randomBytes } from 'node:crypto'
import { appendFileSync, writeSync } from 'node:fs'
import * as v from 'valibot'
import { openDatabase } from '../../src/cli/open-database.ts'
import { openLedger } from '../../src/database/ledger/open-ledger.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { createChangeDoor } from '../../src/table/changes/door.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import type { RecorderModule } from '../../src/table/source/recorder.ts'
import { admin } from '../table-of.ts'
import type { DyingOptions } from './dying-recorder.ts'
import { anything, jarChange } from './jars.ts'
import { countSteps } from './steps.ts'

const optionsSchema = v.object({
  address: v.string(),
  dataFolder: v.string(),
  isBeside: v.boolean(),
  /** What the changes write; all of them are made at once. */
  tokens: v.array(v.number()),
  /** Step before which the process is killed; `null`: it lives. */
  dieAt: v.nullable(v.number()),
  /** Where the steps are written down, one a line; `null`: nowhere. */
  steps: v.nullable(v.string()),
  /** What protects the history and is missing: that entries are settled, or that they come first. */
  lacks: v.nullable(v.picklist(['settling', 'order'])),
})

export type WritingOptions = v.InferOutput<typeof optionsSchema>

const given = v.parse(optionsSchema, JSON.parse(process.argv[2] ?? ''))
const { address, dataFolder, isBeside, tokens, dieAt, steps, lacks } = given

const source = await openDatabase(address)
const { recording } = source
const dying = (kept: RecorderModule): RecorderModule => {
  const options: DyingOptions = { kept: kept.options, dieAt, steps, isLate: lacks === 'order' }
  return { url: new URL('dying-recorder.ts', import.meta.url).href, options }
}
const now = Date.now
const newId = () => entryId(now(), randomBytes(10))
const ledger = await openLedger({
  source: {
    describe: () => source.describe(),
    row: (...args) => source.row(...args),
    page: (...args) => source.page(...args),
    recording:
      recording?.by === 'thread'
        ? { ...recording, use: (module: RecorderModule) => recording.use(dying(module)) }
        : recording,
  },
  ...{ dataFolder, newId, isBeside, keptDays: 90 },
  // Nothing is from before that time.
  now: lacks === 'settling' ? () => 0 : now,
  metadata: isBeside ? address : `${dataFolder}/meta.sqlite`,
})
if (!ledger) throw new Error('The source keeps no entries.')
const catalog = await createCatalog(source, anything, {})
const door = createChangeDoor({ source, catalog: () => catalog, ledger, now, newId })

await source.writing?.allow(true)
if (recording?.by === 'server')
  countSteps({ dieAt, seen: (step) => steps !== null && appendFileSync(steps, `${step}\n`) })
await Promise.all(
  tokens.map(async (token) => {
    const { status } = await door.save(admin, jarChange(token))
    if (status === 'done') writeSync(1, `${token}\n`)
  }),
)
process.exit()
