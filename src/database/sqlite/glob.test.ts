import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { globOf } from './glob.ts'

const db = new DatabaseSync(':memory:')
const statement = db.prepare('select ? glob ? as found')
const finds = (text: string, wanted: string): boolean =>
  statement.get(text, globOf([...wanted]))?.['found'] === 1

test.each([
  ['Frau MÜLLER-Lüdenscheidt', 'müller', true],
  ['muller', 'müller', false],
  ['ΟΔΟΣ', 'οδος', true],
  ['οδος', 'ΟΔΟΣ', true],
  ['İstanbul', 'İSTANBUL', true],
  ['istanbul', 'İstanbul', false],
  ['ǅ', 'ǆ', true],
  ['𐐀', '𐐨', true],
  ['é*[x]?', 'É*[X]?', true],
  ['éa', 'é?', false],
  ['é]^-', 'É]^-', true],
  ['é', '', true],
])('%j holds %j: %s', (text, wanted, isFound) => expect(finds(text, wanted)).toBe(isFound))

test('finds what JavaScript finds in lower case, character by character', () => {
  const character = fc.oneof(
    fc.constantFrom(...'aAéÉßẞøØжЖσςΣ*?[]^-\\%_ '),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((one) => !one.includes('\0')),
  )
  const text = fc.array(character, { maxLength: 8 })
  const lower = (characters: string): string =>
    [...characters]
      .map((one) => one.toLowerCase())
      .join('\u{1}')
      .replaceAll('ς', 'σ')
  fc.assert(
    fc.property(text, fc.array(character, { maxLength: 2 }), (some, wanted) => {
      const [all, part] = [some.join(''), wanted.join('')]
      const isFound = `\u{1}${lower(all)}\u{1}`.includes(
        part === '' ? '' : `\u{1}${lower(part)}\u{1}`,
      )
      expect(finds(all, part)).toBe(isFound)
    }),
    { numRuns: runs(2000) },
  )
})
