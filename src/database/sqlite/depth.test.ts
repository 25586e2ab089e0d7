import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { DEPTH_CASES, DEPTHS } from '../../../test/contracts/depth-cases.ts'
import { DEPTH_ROWS } from '../../../test/tier.ts'
import type { Anchor } from '../../table/source/row-source.ts'
import type { Dialect } from '../dialect.ts'
import { startQuestion } from '../query/question.ts'
import { pageShape } from '../query/page-sql.ts'
import { statementOf } from '../query/select.ts'
import { sql } from '../query/sql.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteFile } from './file.ts'
import type { SqliteTable } from './tables.ts'
import { openSqlite } from './open.ts'

const SIZE = 50

/** Counts each row that is read: the function runs before any other condition. */
const countingDialect: Dialect<SqliteTable> = { ...sqliteDialect, guards: () => [sql`visit()`] }

describe('a page at any depth', () => {
  let folder: string
  let path: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tablewire-depth-'))
    path = join(folder, 'depth.db')
    const db = new DatabaseSync(path)
    db.exec(`create table t (id integer primary key, status text not null, n int, placed int not null);
      create index t_status on t (status); create index t_n on t (n);
      create index t_placed on t (placed, status, id); create index t_both on t (status, placed, id);
      create index t_ways on t (status, placed desc, id desc);
      with recursive seq(i) as (select 1 union all select i + 1 from seq where i < ${DEPTH_ROWS})
      insert into t (status, n, placed)
        select case i % 3 when 0 then 'new' when 1 then 'Paid' else 'sent' end,
          case i % 5 when 0 then null else i * 7919 % 1000 end, i * 7919 % ${DEPTH_ROWS} from seq;
      analyze`)
    db.close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.for(DEPTH_CASES)('looks at no more rows than it needs: %s', async ([, sort, where]) => {
    const source = await openSqlite(path)
    const file = new SqliteFile(path, {
      name: 'depth',
      isWritable: false,
      onReplaced: () => undefined,
    })
    const db = new DatabaseSync(path)
    let visited = 0
    db.function('visit', { deterministic: false }, () => (visited += 1))
    onTestFinished(async () => {
      db.close()
      file.close()
      await source.close()
    })
    const catalogue = file.describe()
    const access = fullAccess(catalogue.schema.tables[0]!)
    const query = { columns: ['id', 'status', 'n', 'placed'], where, sort, size: SIZE } as const
    const context = { catalogue, dialect: sqliteDialect }
    const { count } = await source.count(access, where)
    const anchorAt = async (part: number): Promise<Anchor> => {
      const place = { at: 'offset', skip: Math.floor(count * part) } as const
      const { rows } = await source.page(access, { ...query, columns: [], size: 1, place })
      return { sort: rows[0]!.sort, key: rows[0]!.key }
    }
    for (const part of DEPTHS)
      for (const backwards of [false, true]) {
        const anchor = await anchorAt(part)
        const place = { at: backwards ? 'before' : 'after', anchor } as const
        expect((await source.page(access, { ...query, place })).indexed).toBe(true)
        const shape = pageShape(catalogue, access, { ...query, place })
        const question = startQuestion(context, shape, { backwards, anchor }, SIZE + 2)
        const counting = { catalogue, dialect: countingDialect }
        const { text, binds } = statementOf(counting, question.select)
        visited = 0
        db.prepare(text).all(...(binds as (string | number | null)[]))
        expect(visited, `${part} ${backwards ? 'before' : 'after'}`).toBeLessThan(3 * SIZE)
      }
  })
})
