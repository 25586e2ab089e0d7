import { expect, test } from 'vitest'
import { wholeOf } from './cell-text.ts'
import { copy } from './copy.ts'
import { rowText } from './row-text.ts'

const columns = [
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'cost', label: 'Cost', kind: 'money', unit: '$' },
]

/** The heads and the cells of the HTML. */
const cellsIn = ({ html }: { html: string }) =>
  html
    .split(/<t[hd] style="white-space:pre-wrap">/)
    .slice(1)
    .map((cell) => cell.replace(/<\/t[hd]>.*$/s, ''))

test('a row is a line below its heads, with tabs between the cells, and a table', () => {
  const row = rowText(columns, ['Wing <b>', '1,302'])
  expect(row.text).toBe('Title\tCost ($)\nWing <b>\t1,302')
  expect(row.html).toMatch(/^<table><tr><th .*<\/th><\/tr><tr><td .*<\/td><\/tr><\/table>$/)
  expect(cellsIn(row)).toEqual(['Title', 'Cost ($)', 'Wing &lt;b&gt;', '1,302'])
})

test('line breaks and blanks are kept in the table, too', () => {
  const lineBreak = '<br style="mso-data-placement:same-cell">'
  const row = rowText(columns, ['  one\ntwo\r\n  three', ''])
  expect(cellsIn(row)[2]).toBe(`  one${lineBreak}two${lineBreak}  three`)
})

test('what holds a tab, a line break or a quote stays one cell', () => {
  expect(rowText(columns, ['a\tb\n"c"', '']).text).toBe('Title\tCost ($)\n"a\tb\n""c"""\t')
})

test('no text is run as a formula, and numbers stay numbers', () => {
  const second = (text: string) => rowText(columns, [text, '']).text.split('\n')[1]
  expect(second('=HYPERLINK(1)')).toBe("'=HYPERLINK(1)\t")
  expect(second('-7.5')).toBe('-7.5\t')
  expect(second('+1 234,5')).toBe('+1 234,5\t')
  expect(second('-a')).toBe("'-a\t")
})

test('no formula hides behind blanks, within a text, or in a head', () => {
  const evil = [
    ...[
      { name: 'a', label: '=A1', kind: 'text' },
      { name: 'b', label: 'B', kind: 'text' },
    ],
    ...[{ name: 'c', label: 'C', kind: 'text' }],
  ]
  const row = rowText(evil, [' \n=A1', 'x\t=A1', 'x\n@A1'])
  expect(row.text).toBe(`'=A1\tB\tC\n" \n'=A1"\t"x\t'=A1"\t"x\n'@A1"`)
  expect(cellsIn(row).map((text) => text.replaceAll(/<.*?>/g, '|'))).toEqual([
    ...["'=A1", 'B', 'C'],
    ...["'=A1", "x\t'=A1", "x|'@A1"],
  ])
  expect(cellsIn(rowText(columns, ['  =A1', ' -7']))).toEqual([
    ...['Title', 'Cost ($)', "'=A1", ' -7'],
  ])
})

test('what could not be had of a text is told', () => {
  const cell = ['begin', 9_000_000] as const
  const long = { is: 'long', text: 'beginning', length: '9', isCode: false } as const
  expect(wholeOf([...cell], long)).toEqual({ text: 'beginning' })
  expect(wholeOf([...cell], { ...long, shown: '5' })).toEqual({ text: 'beginning', lacks: 'end' })
  expect(wholeOf([...cell], null)).toEqual({ text: 'begin', lacks: 'row' })
})

test('where nothing may be written, that is told', async () => {
  const execCommand = () => false
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined }
  Object.assign(globalThis, { document: { execCommand, ...listeners } })
  try {
    expect(await copy('text')).toBe(false)
  } finally {
    Reflect.deleteProperty(globalThis, 'document')
  }
})
