import { expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { ColumnOptions } from '../definition/define-table.ts'
import { inferTables } from '../definition/infer.ts'
import { formatterFor } from '../format.ts'
import { fileCell } from './file-cell.ts'

const key = (name: string) => `kept/ab/${name.padEnd(22, '_')}-${name}.png`
const at = { list: '/tables/strikes', key: '7' }
const href = '/tables/strikes/records/7/files/photos'
const hrefOf = (name: string) => `${href}/${name.padEnd(22, '_')}`

function columnWith(options: ColumnOptions) {
  const table = tableOf([columnOf('id'), columnOf('photos')], { name: 'strikes' })
  const columns = { photos: { storage: 'local', ...options } } as const
  return inferTables([table], { strikes: { columns } }).get('strikes')!.columns.get('photos')!
}
const pictures = columnWith({ kind: 'image', multiple: true })
const reports = columnWith({ kind: 'file', multiple: true })
const listOf = (...names: string[]) => JSON.stringify(names.map(key))

test('a list of pictures shows the first three, and how many there are besides', () => {
  expect(fileCell(pictures, listOf('a', 'b'), at)).toEqual([
    'a.png, b.png',
    `${hrefOf('a')} ${hrefOf('b')}`,
  ])
  expect(fileCell(pictures, listOf('a', 'b', 'c', 'd', 'e'), at)).toEqual([
    'a.png, b.png, c.png',
    `${['a', 'b', 'c'].map(hrefOf).join(' ')} +2`,
  ])
  // What lies elsewhere is not loaded.
  const mixed = JSON.stringify(['https://example.org/x.png', key('a')])
  expect(fileCell(pictures, mixed, at)).toEqual(['a.png', `${hrefOf('a')} +1`])
})

test('a list of other files shows their names, which lead to the row', () => {
  expect(fileCell(reports, listOf('a', 'b', 'c', 'd'), at)).toEqual(['a.png, b.png, c.png +1', '7'])
})

test('an empty list is empty, and what is no file is shown as its text', () => {
  expect(fileCell(pictures, '[]', at)).toBe('')
  expect(fileCell(pictures, null, at)).toBeUndefined()
  expect(fileCell(pictures, 'https://example.org/x.png', at)).toBeUndefined()
  const one = columnWith({ kind: 'image' })
  expect(fileCell(one, key('a'), at)).toEqual(['a.png', href])
  expect(fileCell(one, listOf('a'), at)).toBeUndefined()
})

test('where there is no link, the names of all are told, however long their keys are', () => {
  const { cell } = formatterFor({ locale: 'en-US', language: 'en', timeZone: 'UTC' })
  expect(cell(pictures, listOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'))).toBe(
    'a.png, b.png, c.png, d.png, e.png, f.png, g.png, h.png',
  )
})
