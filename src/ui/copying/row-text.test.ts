import { expect, test } from 'vitest'
import { copy } from './copy.ts'
import { rowText } from './row-text.ts'

const columns = [
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'cost', label: 'Cost', kind: 'money', unit: '$' },
]

test('a row is a line below its heads, with tabs between the cells, and a table', () => {
  expect(rowText(columns, ['Wing <b>', '1,302'])).toEqual({
    text: 'Title\tCost ($)\nWing <b>\t1,302',
    html: '<table><tr><th>Title</th><th>Cost ($)</th></tr><tr><td>Wing &lt;b&gt;</td><td>1,302</td></tr></table>',
  })
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
