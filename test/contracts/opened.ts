/** Opens fixtures for a test and closes them when it has ended. */

import { afterAll, onTestFinished } from 'vitest'
import type { Access, Grant } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { PageQuery, RowPage, RowSource, Run } from '../../src/table/source/row-source.ts'
import type { KeyValues, Value } from '../../src/table/source/value.ts'
import type {
  Changes,
  PartResult,
  RowChange,
  RowResult,
  UnitResult,
} from '../../src/table/source/write-unit.ts'
import { fullAccess } from './actors.ts'
import type { Fixture, OpenFixture } from './fixture.ts'

export type Bench = {
  readonly source: RowSource
  reopen(): Promise<RowSource>
  query(text: string): Promise<unknown[][]>
  access(table: string, less?: Partial<Grant>, others?: readonly Access[]): Promise<Access>
}

export async function openBench(open: OpenFixture, fixture: Fixture): Promise<Bench> {
  const { source, reopen, query, close } = await open(fixture)
  onTestFinished(close)
  return {
    source,
    reopen,
    query,
    access: async (name, less, others) => {
      const { tables } = await source.describe()
      const table = tables.find((one) => one.name === name)
      if (!table) throw new Error(`There is no table ${name}.`)
      return fullAccess(table, less, others)
    },
  }
}

/** Opens each fixture once for all tests of a suite, which only read it. */
export function openOnce(open: OpenFixture): OpenFixture {
  const opened = new Map<Fixture, ReturnType<OpenFixture>>()
  afterAll(async () => {
    for (const one of opened.values()) await (await one).close()
  })
  return async (fixture) => {
    const one = opened.get(fixture) ?? open(fixture)
    opened.set(fixture, one)
    return { ...(await one), close: async () => undefined }
  }
}

/** A page of at most a hundred rows. */
export const readPage = (
  source: RowSource,
  access: Access,
  query: Partial<PageQuery> = {},
  run: Run = {},
): Promise<RowPage> =>
  source.page(
    access,
    {
      columns: access.table.columns.map(({ name }) => name).filter((name) => access.canRead(name)),
      where: everything,
      sort: [],
      size: 100,
      place: { at: 'first' },
      ...query,
    },
    run,
  )

/** The first key part of every row that matches. */
export async function idsOf(
  source: RowSource,
  access: Access,
  where: Predicate = everything,
): Promise<Value[]> {
  const { rows } = await readPage(source, access, { where })
  return rows.map(({ key }) => key[0]!)
}

/** The result of each row of a unit. */
export const writeRows = async (
  source: RowSource,
  access: Access,
  rows: readonly RowChange[],
  run?: Run,
): Promise<readonly RowResult[]> => (await writeTo(source, access, { rows }, run)).rows

/** Writes changes to one table; the result of the unit and of its only part. */
export async function writeTo(
  source: RowSource,
  access: Access,
  changes: Changes,
  run?: Run,
): Promise<PartResult & Omit<UnitResult, 'parts'>> {
  const { parts, ...result } = await source.write({ parts: [{ ...changes, access }] }, run)
  return { ...result, ...parts[0]! }
}

export const writeOne = async (source: RowSource, access: Access, row: RowChange) =>
  (await writeRows(source, access, [row]))[0]!

/** All matching keys, in their chunks. */
export async function keysOf(
  source: RowSource,
  access: Access,
  where: Predicate = everything,
  chunk = 2,
  run: Run = {},
): Promise<KeyValues[][]> {
  const chunks: KeyValues[][] = []
  for await (const keys of source.keys(access, where, { ...run, chunk })) chunks.push(keys)
  return chunks
}
