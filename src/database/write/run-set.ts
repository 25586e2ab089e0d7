/** Changes the rows of a chunk that still match, and counts them. */

import type { Counts, SetResult } from '../../table/source/write-unit.ts'
import { rowDigest } from '../../table/source/row-digest.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { all, join, name, sql, type Sql } from '../query/sql.ts'
import { assigned } from './columns.ts'
import { eachSql } from './each-values.ts'
import type { ImagedTable } from './images.ts'
import { type HeldColumns, placesIn, readColumns, recordAlike } from './run-alike.ts'
import { batchesOf, isAmong, keyIn, keyText } from './keys.ts'
import { invalidValues, outsidePolicy, type Writing } from './writing.ts'
import type { SetPlan } from './set-plan.ts'
import { numberOf, rareCounts, rareRows, type Work } from './work.ts'

export function* writeSet(writing: Writing, set: SetPlan): Work<SetResult> {
  if (set.invalid) return invalidValues(set.invalid)
  if (set.inAll !== null && set.inAll !== (yield* countAll(writing, set)))
    return { status: 'mismatch', matched: 0, missing: [] }
  if (set.expected !== null) yield 'save'
  let [matched, changed] = [0, 0]
  const { key } = writing.plan.target
  const digests = set.holding && batchesOf(key, set.holding.digests)
  for (const [at, keys] of batchesOf(key, set.keys).entries()) {
    const counts = yield* writeBatch(writing, set, { keys, digests: digests?.[at] })
    matched += counts.matched
    changed += counts.changed
  }
  if (set.expected === null || set.expected === matched) return { status: 'done', matched, changed }
  yield 'undo'
  return { status: 'mismatch', matched, missing: yield* missingKeys(writing, set) }
}

const countAll = ({ plan, dialect }: Writing, { conditions }: SetPlan): Work<number> =>
  numberOf(sql`select count(*) from ${plan.target.from} where ${all(conditions)}`, dialect)

type Batch = {
  readonly keys: readonly KeyValues[]
  /** What the rows must hold, in the order of the keys. */
  readonly digests?: readonly number[] | undefined
}

function* writeBatch(writing: Writing, set: SetPlan, batch: Batch): Work<Counts> {
  const { plan, dialect } = writing
  const { policy } = plan.target
  const isVerified = set.set !== null && policy.length > 0
  const isLookedAt =
    writing.images !== undefined ||
    set.holding !== null ||
    set.guard.length < set.conditions.length ||
    set.each.length > 0 ||
    (isVerified && !dialect.returnsPolicy)
  if (isLookedAt) return yield* writeSeen(writing, set, batch, isVerified)
  const rows = isAmong(dialect, plan.target.key, batch.keys)
  const statement = writeSql(writing, set, rows)
  return isVerified
    ? yield* writeVerified(writing, statement)
    : yield* rareCounts(statement, dialect)
}

/** Writes the rows and checks them against the policy in one statement. */
function* writeVerified({ plan, dialect }: Writing, statement: Sql): Work<Counts> {
  const written = name('tablewire_written')
  const [row] = yield* rareRows(
    sql`with ${written}(allowed) as (${statement} returning case when ${all(plan.target.policy)} then 1 else 0 end)
      select count(*), coalesce(sum(allowed), 0) from ${written}`,
    dialect,
  )
  const matched = Number(row?.[0])
  if (Number(row?.[1]) < matched) throw outsidePolicy()
  return { matched, changed: matched }
}

/** Reads the rows first, and writes only those; none where one of them holds something else than it must. */
function* writeSeen(
  writing: Writing,
  set: SetPlan,
  batch: Batch,
  isVerified: boolean,
): Work<Counts> {
  const { plan, dialect, images } = writing
  const { keys } = batch
  const { key } = plan.target
  const asked = isAmong(dialect, key, keys)
  const rows = all([asked, ...set.conditions])
  // To list ten thousand keys takes a while: it is done once where all of them were found.
  const amongFound = (found: readonly KeyValues[]) =>
    found.length === keys.length ? asked : isAmong(dialect, key, found)
  const lock = dialect.lockForUpdate
  if (images && plan.alike) {
    const of = plan.alike
    const before = yield* readColumns(dialect, of, rows, lock)
    if (before.keys.length === 0 || !isHolding(set, batch, of, before)) return NONE
    const among = amongFound(before.keys)
    const found = { keys: before.keys, among, isVerified }
    return yield* recordAlike({ dialect, images, of }, { before, among }, () =>
      writeFound(writing, set, found),
    )
  }
  if (set.holding) {
    const of = { ...plan.imaged, columns: set.holding.columns }
    if (!isHolding(set, batch, of, yield* readColumns(dialect, of, rows, lock))) return NONE
  }
  const found = yield* readMatching(writing, set, keys)
  if (found.length === 0) return NONE
  return yield* writeFound(writing, set, { keys: found, among: amongFound(found), isVerified })
}

/** Whether rows that were read hold what they must; one that has another key by now does not. */
function isHolding(
  { holding }: SetPlan,
  { keys, digests }: Batch,
  of: ImagedTable,
  found: HeldColumns,
): boolean {
  if (!holding || !digests) return true
  const columns = holding.columns.map(({ column: { name } }) =>
    of.columns.findIndex(({ column }) => column.name === name),
  )
  const places = placesIn(keys, found.keys)
  return found.keys.every((_, at) => {
    const values = columns.map((place) => found.columns[place]?.[at] ?? null)
    return digests[places?.[at] ?? at] === rowDigest(values)
  })
}

const NONE: Counts = { matched: 0, changed: 0 }

type Found = {
  readonly keys: readonly KeyValues[]
  /** The condition by which they are found again. */
  readonly among: Sql
  readonly isVerified: boolean
}

/** Writes rows that were read and locked. */
function* writeFound(
  writing: Writing,
  set: SetPlan,
  { keys, among, isVerified }: Found,
): Work<Counts> {
  const { plan, dialect } = writing
  const { from, policy } = plan.target
  const statements =
    set.each.length > 0 ? eachSql(writing, set, keys) : [writeSql(writing, set, among)]
  let [matched, changed] = [0, 0]
  for (const statement of statements) {
    const counts = yield* rareCounts(statement, dialect)
    matched += counts.matched
    changed += counts.changed
  }
  if (isVerified) {
    const allowed = yield* numberOf(
      sql`select count(*) from ${from} where ${all([among, ...policy])}${dialect.lockForShare}`,
      dialect,
    )
    if (allowed < keys.length) throw outsidePolicy()
  }
  return { matched, changed }
}

const matching = (
  { plan, dialect }: Writing,
  { conditions }: SetPlan,
  keys: readonly KeyValues[],
) => all([isAmong(dialect, plan.target.key, keys), ...conditions])

/** The keys of the matching rows of a batch, locked until the commit. */
function* readMatching(
  writing: Writing,
  set: SetPlan,
  keys: readonly KeyValues[],
): Work<KeyValues[]> {
  const { plan, dialect, images } = writing
  const { from, key } = plan.target
  const list = join(key.map((column) => column.sql))
  const rows = matching(writing, set, keys)
  if (images && !plan.alike) {
    const written = set.set && [
      ...set.set.map(({ name }) => name),
      ...set.each.map(({ column }) => column.name),
    ]
    const kept = yield* images.keep(plan.imaged, rows, written)
    return kept.map((row) => row.key)
  }
  const found = yield* rareRows(
    sql`select ${list} from ${from} where ${rows}${dialect.lockForUpdate}`,
    dialect,
  )
  return found.map((row) => keyIn(dialect, key, row))
}

/** The write repeats all conditions, even if the rows were read before. */
function writeSql({ plan, dialect }: Writing, { set, guard }: SetPlan, rows: Sql): Sql {
  const { from } = plan.target
  const where = all([rows, ...guard])
  return set === null
    ? sql`${dialect.deletes(from)} where ${where}`
    : sql`update ${from} set ${join(set.map(assigned))} where ${where}`
}

/** The keys of the chunk whose rows no longer match. */
function* missingKeys(writing: Writing, set: SetPlan): Work<KeyValues[]> {
  const { key } = writing.plan.target
  const found = new Set<string>()
  for (const keys of batchesOf(key, set.keys))
    for (const row of yield* readMatching(writing, set, keys)) found.add(keyText(row))
  return set.keys.filter((one) => !found.has(keyText(one)))
}
