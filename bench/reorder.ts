/** Compares saving a page of an order at a million rows with a thousand, and counts the statements. */

import type { Access } from '../src/table/source/access.ts'
import { atMost, type Figure, interleaved, listed, reported } from './measure.ts'
import { openScratch, type Scratch } from './scratch.ts'
import type { Site } from './site.ts'

const ROUNDS = 41
const PAGE = 25
const FEW = 1000

const TABLES = { few: 'bench_order_few', many: 'bench_order_many', unique: 'bench_order_unique' }

export async function reorder(site: Site): Promise<Figure[]> {
  const many = site.rows
  const scratch = await openScratch(site, Object.values(TABLES), async (run, kind) => {
    const create = async (table: string, rows: number, index: string) => {
      await run(`create table ${table} (id integer primary key, position integer not null)`)
      await run(`insert into ${table} ${countTo(rows, kind)}`)
      await run(
        `create ${index} ${table}_order on ${table} (position${index === 'index' ? ', id' : ''})`,
      )
    }
    if (kind === 'mysql') await run('set session max_recursive_iterations = 100000000')
    await create(TABLES.few, FEW, 'index')
    await create(TABLES.many, many, 'index')
    await create(TABLES.unique, many, 'unique index')
    if (kind === 'postgres') await run('vacuum analyze')
  })
  const [few, all, unique] = [
    await scratch.access(TABLES.few),
    await scratch.access(TABLES.many),
    await scratch.access(TABLES.unique),
  ]
  const pages = {
    few: reverser(scratch, few, 0),
    many: reverser(scratch, all, 0),
    unique: reverser(scratch, unique, 0),
    fewMiddle: reverser(scratch, few, FEW / 2),
    manyMiddle: reverser(scratch, all, Math.floor(many / 2)),
  }
  const taken = await interleaved(ROUNDS, pages)
  console.log(`  ms: ${listed(taken, 2)}`)
  const figures = [
    atMost('saving the first page of many rows ÷ of 1,000', taken.many / taken.few, 2),
    atMost(
      'saving a page in the middle of many rows ÷ of 1,000',
      taken.manyMiddle / taken.fewMiddle,
      2,
    ),
    reported('saving the first page, unique ÷ not unique', taken.unique / taken.many),
    ...(await statements(scratch, pages)),
  ]
  await scratch.close()
  return figures
}

const countTo = (rows: number, kind: Scratch['kind']): string =>
  kind === 'postgres'
    ? `select i, i from generate_series(1, ${rows}) i`
    : `with recursive c(i) as (select 1 union all select i + 1 from c where i < ${rows}) select i, i from c`

/** Saves the page after `skip` rows in the reverse of its order, again and again. */
function reverser(scratch: Scratch, access: Access, skip: number): () => Promise<void> {
  let keys = Array.from({ length: PAGE }, (_, i) => skip + i + 1)
  return async () => {
    keys = keys.toReversed()
    const at = keys.map((key, i): [number[], number] => [[key], skip + i + 1])
    // As the page does, which tells the neighbours that it shows.
    const expect = keys.map((key, i) => {
      const [previous, next] = [keys[i - 1] ?? skip, keys[i + 1] ?? skip + PAGE + 1]
      return { key: [key], previous: previous === 0 ? null : [previous], next: [next] }
    })
    const ranks = { column: 'position', descending: false, at, expect }
    const { parts } = await scratch.source.write({ parts: [{ access, ranks }] })
    const result = parts[0]?.ranks
    // The row in the middle stays.
    if (result?.status !== 'done' || result.changed !== PAGE - 1)
      throw new Error(JSON.stringify(result))
  }
}

type Pages = Readonly<Record<'many' | 'unique', () => Promise<void>>>

/** MariaDB counts the statements of all connections. */
async function statements(scratch: Scratch, pages: Pages): Promise<Figure[]> {
  if (scratch.kind !== 'mysql') return []
  const count = async () =>
    Number((await scratch.run(`show global status like 'Com_update'`))[0]?.[1])
  const during = async (save: () => Promise<void>) => {
    const before = await count()
    await save()
    return (await count()) - before
  }
  return [
    atMost('statements that save a page', await during(pages.many), 1, '', 0),
    atMost('statements that save a page, unique', await during(pages.unique), 2, '', 0),
  ]
}
