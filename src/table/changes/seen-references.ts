/** Refuses references to rows that their writer may not see, as those to rows that are not there. */

import type { Access } from '../source/access.ts'
import { givenIn, type NewValues } from '../source/computed.ts'
import type { Predicate } from '../source/predicate.ts'
import type { ForeignKey } from '../source/schema.ts'
import { isSame, type KeyValues } from '../source/value.ts'
import type { RowChange, Values } from '../source/write-unit.ts'
import type { ChangeProblem } from './change.ts'
import { keyName, readRows, type RowReader } from './read-rows.ts'

type Problem = Omit<ChangeProblem, 'place'>

/** A change that may refer: to one row, or to each of a set. */
export type Referring = RowChange | { readonly set: NewValues }

/** References in one question. */
const BATCH = 500

/**
 * What is wrong with each change: the database would tell that a hidden row is there by taking the reference. Where
 * the actor sees all rows, it is left to the database.
 */
export async function unseenReferences(
  source: RowReader,
  access: Access,
  changes: readonly Referring[],
): Promise<readonly (readonly Problem[])[]> {
  const problems = changes.map((): Problem[] => [])
  const given = changes.map(valuesGiven)
  for (const key of access.table.foreignKeys) {
    const at = given.flatMap((values, place) =>
      key.columns.some((name) => Object.hasOwn(values, name)) ? place : [],
    )
    const target = access.related(key.table)
    if (at.length === 0 || target?.seesAllRows) continue
    const whole = await wholeReferences(source, access, key, { changes, given, at })
    const seen = target
      ? await seenAmong(source, target.ofAllColumns(), key, [...whole.values()])
      : new Set<string>()
    // A row that is made by the same change is there as well.
    const made = key.table === access.table.name ? madeBy(changes, key) : []
    const known = new Set([...seen, ...made])
    for (const [place, reference] of whole)
      if (!known.has(keyName(reference)))
        problems[place]?.push({ kind: 'reference', columns: key.columns })
  }
  return problems
}

function valuesGiven(change: Referring): Values {
  if ('insert' in change) return change.insert
  return 'set' in change ? givenIn(change.set) : {}
}

type Given = {
  readonly changes: readonly Referring[]
  readonly given: readonly Values[]
  /** The places of those that refer. */
  readonly at: readonly number[]
}

/** By place, the references that there will be, but for those that the row has already and its writer reads. */
async function wholeReferences(
  source: RowReader,
  access: Access,
  { columns }: ForeignKey,
  { changes, given, at }: Given,
): Promise<ReadonlyMap<number, KeyValues>> {
  const keyAt = (place: number): KeyValues | undefined => {
    const change = changes[place]
    return change && 'update' in change ? change.update : undefined
  }
  const keys = at.flatMap((place) => {
    const key = keyAt(place)
    return key ? [key] : []
  })
  const all = access.ofAllColumns()
  const before = await readRows(source, all, keys)
  return new Map(
    at.flatMap((place): [number, KeyValues][] => {
      const key = keyAt(place)
      const was = key && before.get(keyName(key))
      const values = given[place] ?? {}
      const reference = columns.map((name) => values[name] ?? was?.[name] ?? null)
      const isAsBefore =
        was !== undefined &&
        columns.every(
          (name, i) => access.canRead(name) && isSame(was[name] ?? null, reference[i] ?? null),
        )
      return isAsBefore || reference.includes(null) ? [] : [[place, reference]]
    }),
  )
}

/** Those of the references whose rows are there for the actor, compared by the database itself. */
async function seenAmong(
  source: RowReader,
  target: Access,
  { references: columns }: ForeignKey,
  wanted: readonly KeyValues[],
): Promise<Set<string>> {
  const seen = new Set<string>()
  const find = async (some: readonly KeyValues[]) => {
    const where: Predicate = { op: 'or', all: some.map((values) => isRow(columns, values)) }
    const query = { columns, sort: [], size: some.length, place: { at: 'first' } } as const
    return (await source.page(target, { ...query, where })).rows
  }
  const distinct = [...new Map(wanted.map((values) => [keyName(values), values])).values()]
  for (let from = 0; from < distinct.length; from += BATCH) {
    const some = distinct.slice(from, from + BATCH)
    for (const { values } of await find(some)) seen.add(keyName(values))
    // The database may take a value for another one, such as '01' for 1.
    for (const one of some)
      if (!seen.has(keyName(one)) && (await find([one])).length > 0) seen.add(keyName(one))
  }
  return seen
}

/** The rows that a change makes, by what a reference to them would be. */
const madeBy = (changes: readonly Referring[], { references }: ForeignKey): readonly string[] =>
  changes.flatMap((change) =>
    'insert' in change ? keyName(references.map((name) => change.insert[name] ?? null)) : [],
  )

const isRow = (columns: readonly string[], values: KeyValues): Predicate => ({
  op: 'and',
  all: columns.map((column, at) => ({ op: 'eq', column, value: values[at] ?? null })),
})
