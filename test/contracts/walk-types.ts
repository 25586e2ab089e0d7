/** Walks over a table by each of its columns, both ways, so that no type of value loses a row. */

import { expect } from 'vitest'
import { decodeAnchor, encodeAnchor } from '../../src/table/list/anchor.ts'
import type { Access } from '../../src/table/source/access.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type {
  PageRow,
  Place,
  RowPage,
  RowSource,
  SortColumn,
} from '../../src/table/source/row-source.ts'
import { fullAccess } from './actors.ts'

const SIZE = 7

/** The names of the columns after which some row was lost, repeated or out of place. */
export async function columnsThatLoseRows(source: RowSource, name: string): Promise<string[]> {
  const { tables } = await source.describe()
  const access = fullAccess(tables.find((table) => table.name === name)!)
  const lossy: string[] = []
  for (const { name: column } of access.table.columns)
    for (const descending of [false, true]) {
      const isWhole = await walksWhole(source, access, [{ column, descending }]).catch(() => false)
      if (!isWhole) lossy.push(`${descending ? '-' : ''}${column}`)
    }
  return lossy
}

async function walksWhole(
  source: RowSource,
  access: Access,
  sort: readonly SortColumn[],
): Promise<boolean> {
  const count = (await source.count(access, everything)).count
  const read = (place: Place, size = SIZE): Promise<RowPage> =>
    source.page(access, { columns: [], where: everything, sort, size, place })
  const whole = keysOf((await read({ at: 'first' }, count)).rows)
  expect(new Set(whole).size).toBe(count)
  const forwards = await walk(await read({ at: 'first' }), 'after', read)
  const last = await read({ at: 'last', rows: count % SIZE || SIZE })
  const backwards = await walk(last, 'before', read)
  return [forwards, backwards].every((keys) => keys.join() === whole.join())
}

/** Turns pages as an address does, by the text of an anchor. */
async function walk(
  first: RowPage,
  at: 'after' | 'before',
  read: (place: Place) => Promise<RowPage>,
): Promise<string[]> {
  let keys = keysOf(first.rows)
  for (let page = first; page[at];) {
    const row = page.rows.at(at === 'after' ? -1 : 0)!
    const anchor = decodeAnchor(encodeAnchor(row)!, row.sort.length, row.key.length)
    page = await read({ at, anchor })
    if (page.rows.length === 0) return keys
    keys = at === 'after' ? [...keys, ...keysOf(page.rows)] : [...keysOf(page.rows), ...keys]
  }
  return keys
}

const keysOf = (rows: readonly PageRow[]): string[] => rows.map(({ key }) => key.map(String).join())
