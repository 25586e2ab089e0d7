import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { readPage } from '../../../test/contracts/opened.ts'
import {
  createDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../test/contracts/postgres-server.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { openPostgres } from './open.ts'

describePostgres('what PostgreSQL itself refuses', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createDatabase()
    await database.run(`
      create table sound (id int primary key); insert into sound values (1), (2);
      create materialized view empty as select * from sound with no data;
      create view failing as select id, 1 / (id - 1) as part from sound;
      set check_function_bodies = off;
      create function missing(int) returns text language plpgsql
        as $$ declare found no_such_type; begin return 'a'; end $$;
      create view untyped as select id, missing(id) as text from sound;
      create extension file_fdw; create server files foreign data wrapper file_fdw;
      create foreign table absent (line text) server files
        options (filename '/nowhere/tablewire.csv')`)
  })
  afterAll(() => database.drop())

  const opened = async (): Promise<RowSource> => {
    const source = await openPostgres(database.url())
    onTestFinished(() => source.close())
    return source
  }
  const read = async (source: RowSource, name: string) => {
    const { tables } = await source.describe()
    return readPage(source, fullAccess(tables.find((table) => table.name === name)!))
  }

  test.each([
    ['empty', 'materialized view "empty" has not been populated'],
    ['failing', 'division by zero'],
    ['untyped', 'type "no_such_type" does not exist'],
    [
      'absent',
      'could not open file "/nowhere/tablewire.csv" for reading: No such file or directory',
    ],
  ])('%s is told in its own sentence', async (name, sentence) => {
    const source = await opened()
    await expect(read(source, name)).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      detail: `The database says: “${sentence}”.`,
    })
    expect((await read(source, 'sound')).rows).toHaveLength(2)
  })
})
