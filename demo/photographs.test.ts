/** The demo's photographs: the same in every build, small, and files of strikes as the server keeps them. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { isOfType } from '../src/server/upload/file-types.ts'
import { readKey } from '../src/server/upload/kept-key.ts'
import { keysIn } from '../src/table/files/key-list.ts'
import { addPhotographs, PHOTOGRAPHS } from './photographs.ts'

test('are files of strikes, which are made once and made again where they are missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-photographs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'demo.sqlite')
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  db.exec(`CREATE TABLE strikes (id INTEGER PRIMARY KEY, incident_date TEXT, place TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO strikes SELECT i, '2002-06-29', 'Graz' FROM n`)
  const lists = () =>
    db
      .prepare('SELECT photo FROM strikes WHERE photo IS NOT NULL ORDER BY id')
      .all()
      .map(({ photo }) => keysIn({ list: 'json' }, String(photo)))
  const photos = () => lists().flat()
  const bytesOf = (data: string) =>
    photos().map((key) => readFileSync(join(folder, data, 'files', key)))
  addPhotographs(file, join(folder, 'one'))
  const keys = photos()
  expect(new Set(keys).size).toBe(keys.length)
  const counts = lists().map(({ length }) => length)
  expect([counts.length, Math.min(...counts), Math.max(...counts)]).toEqual([60, 1, PHOTOGRAPHS])
  for (const key of keys) expect(readKey(key)?.type).toBe('image/png')
  for (const bytes of bytesOf('one').slice(0, 5)) {
    expect(await isOfType('image/png', bytes)).toBe(true)
    expect(bytes.length).toBeLessThan(10_000)
  }
  addPhotographs(file, join(folder, 'two'))
  expect(photos()).toEqual(keys)
  expect(bytesOf('two')).toEqual(bytesOf('one'))
})
