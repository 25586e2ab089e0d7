/** Rows that get values of their own, by keys that the database may know in another way. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { accessTo } from '../../../test/table-of.ts'
import { AppError } from '../../server/app-error.ts'
import { everything } from '../../table/source/predicate.ts'

let data: OpenDataFile
beforeAll(async () => {
  data = await openDataFile(`create table notes (code text collate nocase primary key, state text);
    insert into notes values ('a', 'new'), ('b', 'new')`)
  await data.source.writing?.allow(true)
})
afterAll(() => data.close())

test('a row whose key was written in another way is not emptied', async () => {
  const { source } = data
  const table = (await source.describe()).tables.find(({ name }) => name === 'notes')!
  const access = accessTo(table, { actions: ['read', 'update'], writable: ['state'] })
  const write = (...codes: string[]) => {
    const set = { in: codes.map((code) => [code]), where: everything }
    const each = { state: codes.map((code) => `of ${code}`) }
    return source.write({ parts: [{ access, sets: [{ ...set, each }] }] })
  }
  await expect(write('a', 'B')).rejects.toBeInstanceOf(AppError)
  expect(await write('b', 'a')).toMatchObject({ isDone: true })
  expect(data.rows('select * from notes')).toEqual([
    { code: 'a', state: 'of a' },
    { code: 'b', state: 'of b' },
  ])
})
