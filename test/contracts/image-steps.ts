/** Whether images lead from one state of tables to another, whatever order they were written in. */

import { encodeValue } from '../../src/table/source/predicate-codec.ts'
import type { Access } from '../../src/table/source/access.ts'
import { type ImageValue, isKept, type RowImage } from '../../src/table/source/ledger-entry.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { KeyValues } from '../../src/table/source/value.ts'

/** What each column of each row holds; what is not there is `ABSENT`. */
export type State = ReadonlyMap<string, string>

const ABSENT = 'absent'

const fieldOf = (table: string, key: KeyValues, column: string): string =>
  `${table} ${key.map(String).join()} ${column}`

const textOf = (value: ImageValue): string =>
  JSON.stringify(isKept(value) ? encodeValue(value) : value)

export async function stateOf(source: RowSource, accesses: readonly Access[]): Promise<State> {
  const state = new Map<string, string>()
  for (const access of accesses) {
    const columns = access.table.columns.map(({ name }) => name)
    const { rows } = await source.page(access, {
      ...{ columns, where: everything, sort: [], size: 10_000, place: { at: 'first' } },
    })
    for (const { key, values } of rows)
      for (const [at, column] of columns.entries())
        state.set(fieldOf(access.table.name, key, column), textOf(values[at] ?? null))
  }
  return state
}

/**
 * Fields whose images do not add up. Each image leads a field from one value to another: every value but the
 * first and the last must have been left as often as it was reached.
 */
export function unbalanced(images: readonly RowImage[], first: State, last: State): string[] {
  const balances = new Map<string, Map<string, number>>()
  const add = (field: string, value: string, by: number): void => {
    const balance = balances.get(field) ?? new Map<string, number>()
    balances.set(field, balance.set(value, (balance.get(value) ?? 0) + by))
  }
  for (const { table, key, before, after } of images)
    for (const column of Object.keys(before ?? after ?? {})) {
      const at = (values: RowImage['before']) => (values ? textOf(values[column] ?? null) : ABSENT)
      add(fieldOf(table, key, column), at(before), -1)
      add(fieldOf(table, key, column), at(after), 1)
    }
  for (const field of new Set([...balances.keys(), ...first.keys(), ...last.keys()])) {
    add(field, first.get(field) ?? ABSENT, 1)
    add(field, last.get(field) ?? ABSENT, -1)
  }
  return [...balances].flatMap(([field, balance]) => {
    const wrong = [...balance].filter(([, count]) => count !== 0)
    return wrong.length > 0 ? [`${field}: ${JSON.stringify(wrong)}`] : []
  })
}
