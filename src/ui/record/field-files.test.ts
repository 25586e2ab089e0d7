import { expect, test } from 'vitest'
import { type FileControl, labelFor, namesIn, pathsIn, textFor } from './field-files.ts'

const stored = ['a', 'b'].map((path) => ({ path, name: `${path}.png`, type: 'image/png' }))
const one: FileControl = { is: 'file', maxBytes: 1, stored: stored.slice(0, 1) }
const list: FileControl = { is: 'file', maxBytes: 1, isList: true, stored }

test('the text of a file is its path, and that of several the JSON of theirs', () => {
  expect(pathsIn({ text: 'a', control: one }, 'a')).toEqual(['a'])
  expect(pathsIn({ text: 'a', control: one }, 'new')).toEqual(['new'])
  expect(pathsIn({ text: 'a', control: one }, null)).toEqual([])
  expect(textFor({ text: 'a', control: one }, ['new'])).toBe('new')
  expect(textFor({ text: 'a', control: one }, [])).toBeNull()
  // Whatever the database calls the list.
  const field = { text: '{a,b}', control: list }
  expect(pathsIn(field, '{a,b}')).toEqual(['a', 'b'])
  expect(pathsIn(field, '["b","new"]')).toEqual(['b', 'new'])
  expect(pathsIn(field, null)).toEqual([])
  expect(textFor(field, ['b', 'a'])).toBe('["b","a"]')
  expect(textFor(field, [])).toBe('[]')
})

test('files that are those of the row again are no edit', () => {
  expect(textFor({ text: '{a,b}', control: list }, ['a', 'b'])).toBe('{a,b}')
  const empty = { ...list, stored: [] }
  expect(textFor({ text: null, control: empty }, [])).toBeNull()
  expect(textFor({ text: 'a', control: one }, ['a'])).toBe('a')
})

test('a text from before there was a list stands for one file', () => {
  expect(pathsIn({ text: '["a","b"]', control: list }, 'a')).toEqual(['a'])
})

test('names of files are kept a line each', () => {
  expect(namesIn(labelFor(['a, b.png', 'c\nd.png']))).toEqual(['a, b.png', 'c d.png'])
  expect([namesIn(undefined), namesIn('')]).toEqual([[], []])
})
