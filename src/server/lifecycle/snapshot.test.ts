import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { KeyRing } from '../keys.ts'
import { openSnapshot, sealSnapshot, SNAPSHOT_MAX } from './snapshot.ts'

const keys = new KeyRing([randomBytes(32)])
const binding = { build: 'build-1', user: 'ana', lineage: 'lineage-1' }
const memo = (over = {}) => ({ id: 'list', name: 'list', path: '/', view: '', ...binding, ...over })

const data: JsonObject = {
  table: 'wildlife_strikes',
  search: 'O’Hare — naïve “quotes” \u2028 漢字 🦉',
  sort: [{ column: 'incident_date', descending: true }],
  size: 25,
  columns: Array.from({ length: 60 }, (_, at) => `column_${at}_with_a_rather_long_name`),
  place: { at: 'after', number: 3, anchor: 'W1siMjAyMi0wMS0wMSJdLFsxMjNdXQ' },
}
const sealed = sealSnapshot(keys, data, memo())
const open = (text: string, over = {}) => openSnapshot(keys, text, { ...binding, ...over })

/** Where the format and the key id stand: another one there is old or foreign, not forged. */
const LABEL_START = sealed.length - '1.kkkkkkkk.'.length - 43 - '"}'.length
const isLabel = (at: number) => at >= LABEL_START && at < LABEL_START + '1.kkkkkkkk'.length

test('a snapshot opens to what was sealed', () => {
  expect(open(sealed)).toEqual({ kind: 'valid', snapshot: { data, memo: memo() } })
})

test('the browser can read it as JSON', () => {
  expect(JSON.parse(sealed)).toMatchObject({ data, memo: memo(), checksum: expect.any(String) })
})

describe('a changed snapshot', () => {
  test('is refused for every character flipped in every bit', () => {
    expect(sealed.length).toBeGreaterThan(2500)
    const opened: number[] = []
    for (let at = 0; at < sealed.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const flipped = String.fromCharCode(sealed.charCodeAt(at) ^ (1 << bit))
        const { kind } = open(sealed.slice(0, at) + flipped + sealed.slice(at + 1))
        const refused = kind === 'forged' || (kind === 'outdated' && isLabel(at))
        if (!refused) opened.push(at)
      }
    expect(opened).toEqual([])
  })

  test('is forged at every shorter length, from both ends', () => {
    const kinds = new Set<string>()
    for (let length = 0; length < sealed.length; length++) {
      kinds.add(open(sealed.slice(0, length)).kind)
      kinds.add(open(sealed.slice(sealed.length - length)).kind)
    }
    expect([...kinds]).toEqual(['forged'])
  })

  test.each(['"', '}', ' ', 'A', '\0', '\n', '\ufeff', '\u200b', '🦉', '\ud83e'])(
    'is refused with %j put in anywhere',
    (extra) => {
      const valid = Array.from({ length: sealed.length + 1 }, (_, at) => at).filter(
        (at) => open(sealed.slice(0, at) + extra + sealed.slice(at)).kind === 'valid',
      )
      expect(valid).toEqual([])
    },
  )

  test('is forged when two characters change places', () => {
    for (let at = 1; at < LABEL_START; at += 7) {
      const [a, b] = [sealed[at - 1]!, sealed[at]!]
      if (a === b) continue
      expect(open(sealed.slice(0, at - 1) + b + a + sealed.slice(at + 1)).kind).toBe('forged')
    }
  })

  test('is forged when the tail of another stands under it', () => {
    const others = [
      sealSnapshot(keys, { ...data, size: 50 }, memo()),
      sealSnapshot(keys, data, memo({ user: 'bo' })),
      sealSnapshot(keys, data, memo({ lineage: 'lineage-2' })),
      sealSnapshot(keys, data, memo({ build: 'build-2' })),
      sealSnapshot(keys, data, memo({ name: 'shell', id: 'shell' })),
      sealSnapshot(keys, data, memo({ path: '/tables/secret' })),
    ]
    for (const other of others) {
      expect(
        open(sealed.slice(0, LABEL_START) + other.slice(-(sealed.length - LABEL_START))),
      ).toEqual({
        kind: 'forged',
      })
      expect(open(other.slice(0, -60) + sealed.slice(-60)).kind).toBe('forged')
    }
  })

  test('is forged when its MAC was made for another purpose', () => {
    const body = sealed.slice(0, sealed.indexOf(',"checksum"'))
    for (const purpose of ['csrf', 'visitor'] as const) {
      const { keyId, mac } = keys.sign(purpose, body)
      expect(open(`${body},"checksum":"1.${keyId}.${mac}"}`).kind).toBe('forged')
    }
  })

  test.each(['', '{}', 'null', '[]', '"', '{"data":{},"memo":{}}', 'x'.repeat(SNAPSHOT_MAX + 1)])(
    'is forged when it is no snapshot at all (%#)',
    (text) => expect(open(text)).toEqual({ kind: 'forged' }),
  )

  test('is forged when half a character takes the place of another half', () => {
    // In UTF-8, which the MAC is made over, every half is the same replacement character.
    const text = sealSnapshot(keys, { search: 'a\ufffdb' }, memo())
    expect(open(text).kind).toBe('valid')
    for (const half of ['\ud800', '\udbff', '\udc00', '\udfff'])
      expect(open(text.replace('\ufffd', half)).kind).toBe('forged')
  })
})

describe('a snapshot of somebody or some time else', () => {
  test('is forged for another person', () => {
    expect(open(sealed, { user: 'bo' })).toEqual({ kind: 'forged' })
    expect(open(sealed, { user: 'bo', lineage: 'lineage-2' })).toEqual({ kind: 'forged' })
  })

  test('is outdated in another session of the same person, or another build', () => {
    expect(open(sealed, { lineage: 'lineage-2' })).toEqual({ kind: 'outdated' })
    expect(open(sealed, { build: 'build-2' })).toEqual({ kind: 'outdated' })
  })

  test('stays valid when the key is rotated, and is outdated when it is retired', () => {
    const ring = new KeyRing([randomBytes(32)])
    const text = sealSnapshot(ring, data, memo())
    ring.rotate(randomBytes(32))
    expect(openSnapshot(ring, text, binding).kind).toBe('valid')
    ring.retire()
    expect(openSnapshot(ring, text, binding)).toEqual({ kind: 'outdated' })
  })
})

describe('values', () => {
  test.each<[string, JsonObject]>([
    ['a large float', { value: 1e21 }],
    ['a 64-bit integer as text', { value: '9007199254740993' }],
    ['the least and the largest numbers', { value: [5e-324, 1.7976931348623157e308] }],
    ['line separators', { value: '\u2028\u2029' }],
    ['composed and decomposed letters', { nfc: 'é', nfd: 'e\u0301' }],
    ['integer-like keys', { b: 1, 10: 1, 2: 1, '01': 1 }],
    ['empty keys and odd ones', { '': 1, 'a.b': 2, '"': 3, '\\': 4 }],
    ['what looks like a tail', { value: ',"checksum":"1.aaaaaaaa.' + 'A'.repeat(43) + '"}' }],
  ])('%s survive the browser and come back valid', (_, value) => {
    const text = sealSnapshot(keys, value, memo())
    const [again] = JSON.parse(JSON.stringify([text])) as [string]
    expect(open(again)).toEqual({ kind: 'valid', snapshot: { data: value, memo: memo() } })
  })

  test('a negative zero is a zero before it is signed, so it never looks tampered with', () => {
    const text = sealSnapshot(keys, { value: -0 }, memo())
    expect(open(text)).toMatchObject({ kind: 'valid', snapshot: { data: { value: 0 } } })
  })

  test('composed and decomposed letters are not the same snapshot', () => {
    const text = sealSnapshot(keys, { search: 'é' }, memo())
    expect(open(text.normalize('NFD'))).toEqual({ kind: 'forged' })
  })

  test('any state opens to itself, and to nothing after any change of a character', () => {
    const state = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
    fc.assert(
      fc.property(
        state,
        fc.nat(),
        fc.string({ unit: 'binary', minLength: 1 }),
        (some, at, other) => {
          const text = sealSnapshot(keys, JSON.parse(JSON.stringify(some)) as JsonObject, memo())
          const opened = open(text)
          expect(opened.kind).toBe('valid')
          if (opened.kind === 'valid')
            expect(JSON.stringify(opened.snapshot.data)).toBe(JSON.stringify(some))
          const place = at % text.length
          const changed = text.slice(0, place) + other + text.slice(place + other.length)
          if (changed !== text) expect(open(changed).kind).not.toBe('valid')
        },
      ),
      { numRuns: runs(2000) },
    )
  })
})
