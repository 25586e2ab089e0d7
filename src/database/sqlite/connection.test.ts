/** Reading rows at once, or row by row where values are long. */

import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from './connection.ts'

/** A connection to three notes of which the last is long, and one that may write. */
function openNotes(longest: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-connection-'))
  const file = join(folder, 'notes.sqlite')
  const writer = new DatabaseSync(file)
  writer.exec(`create table notes (id integer primary key, note);
    insert into notes values (1, 'short'), (2, ${2n ** 60n}), (3, '${'ü'.repeat(longest / 2)}')`)
  const reader = new Connection(file, { readOnly: true, busyMs: 1000 })
  onTestFinished(() => {
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { reader, writer }
}

const NOTES = 'select id, note from notes order by id limit ?'
const FIRST = [1, 'short']
const isAble = 'limits' in new DatabaseSync(':memory:')

test.runIf(isAble)('rows are read at once while no value is long', () => {
  const { reader } = openNotes(1000)
  expect(reader.allShort(NOTES, [1])).toEqual({ rows: [FIRST], isCut: false })
  expect(reader.allShort(NOTES, [3])?.rows[1]).toEqual([2, 2n ** 60n])
  expect(reader.allShort(NOTES, [3])?.rows).toHaveLength(3)
})

test.for([1002, 100_000])('a value of %i bytes is read row by row, from then on', (longest) => {
  const { reader } = openNotes(longest)
  expect(reader.allShort(NOTES, [3])).toBeUndefined()
  expect(reader.upTo(2 ** 18, NOTES, [3]).rows[2]).toEqual([3, 'ü'.repeat(longest / 2)])
  expect(reader.allShort(NOTES, [1])).toBeUndefined()
  expect(reader.all(NOTES, [1])).toEqual([FIRST])
})

test('a schema that has changed is read, however long its statements are', () => {
  const { reader, writer } = openNotes(10)
  reader.allShort(NOTES, [1])
  const columns = Array.from({ length: 300 }, (_, i) => `column_${i}`)
  writer.exec(`create table wide (${columns.join()})`)
  const rows = reader.allShort(NOTES, [1])?.rows ?? reader.upTo(2 ** 18, NOTES, [1]).rows
  expect(rows).toEqual([FIRST])
})
