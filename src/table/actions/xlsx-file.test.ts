import readSheets from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { zip } from '../../server/zip.ts'
import { STYLE_LISTS, STYLES } from '../source/xlsx-styles.ts'
import { type SheetPart, workbookFiles } from './xlsx-file.ts'

async function namesOf(name: string, sheets = 1): Promise<string[]> {
  async function* parts(): AsyncGenerator<SheetPart, void> {
    for (let at = 0; at < sheets; at++) yield { pieces: [], isFirst: true }
  }
  const columns = [{ label: 'ID', type: 'integer' }] as const
  const pieces: Uint8Array[] = []
  for await (const piece of zip(workbookFiles({ name, columns }, parts()))) pieces.push(piece)
  return (await readSheets(Buffer.concat(pieces))).map(({ sheet }) => sheet)
}

test('sheets have names that Excel takes', async () => {
  expect(await namesOf('Orders', 2)).toEqual(['Orders', 'Orders 2'])
  expect(await namesOf('a/b [c]')).toEqual(['a b  c'])
  expect(await namesOf(`'`)).toEqual(['Rows'])
  expect(await namesOf('HISTORY', 2)).toEqual(['HISTORY rows', 'HISTORY 2'])
})

test('each style of a cell stands at its place', () => {
  const [, styles = ''] = /<cellXfs count="8">(.*)<\/cellXfs>/.exec(STYLE_LISTS) ?? []
  const all = styles.match(/<xf [^>]*>/g) ?? []
  expect(all).toHaveLength(Object.keys(STYLES).length)
  expect(all[STYLES.head]).toContain('fontId="1" applyFont="1"')
  expect(all[STYLES.cents]).toContain('numFmtId="2"')
  expect(all[STYLES.sign]).toContain('quotePrefix="1"')
  const [, format = ''] = /numFmtId="(\d+)"/.exec(all[STYLES.moment] ?? '') ?? []
  expect(STYLE_LISTS).toContain(`<numFmt numFmtId="${format}" formatCode="yyyy-mm-dd hh:mm:ss"/>`)
})
