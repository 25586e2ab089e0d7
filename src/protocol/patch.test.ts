import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, parseJson } from './json.ts'
import { applyPatch, patchOf } from './patch.ts'

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => parseJson(JSON.stringify(value)))

/** A value, and one that some edits have made of it. */
const related = fc
  .tuple(json, json, json, fc.array(fc.nat(20), { maxLength: 4 }))
  .map(([value, other, third, places]): [Json, Json] => [
    [value, other, { rows: [value, other, third], third }],
    [other, places.map((at) => [value, other, third][at % 3]!), { rows: [third, other, value], value }],
  ]) // prettier-ignore

const through = (before: Json, after: Json): Json => {
  const patch = patchOf(before, after)
  // As it travels.
  return patch === null ? before : applyPatch(before, JSON.parse(JSON.stringify(patch)))
}

test('a patch makes the newer value of the older one, whatever they are', () => {
  const holds = (before: Json, after: Json) => {
    expect(through(before, after)).toEqual(after)
  }
  fc.assert(fc.property(json, json, holds))
  fc.assert(fc.property(related, ([before, after]) => holds(before, after)))
})

test('there is none where nothing has changed', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(patchOf(value, parseJson(JSON.stringify(value)))).toBeNull()
    }),
  )
})

test('names of members are only names', () => {
  const before = parseJson('{"a":1,"__proto__":{"b":2},"constructor":1}')
  const after = parseJson('{"__proto__":{"b":3},"toString":null}')
  expect(JSON.stringify(through(before, after))).toBe('{"__proto__":{"b":3},"toString":null}')
  expect({}).not.toHaveProperty('b')
})

test('of a hundred rows, only the one that has changed travels', () => {
  const rows = (changed: string): Json[] =>
    Array.from({ length: 100 }, (_, at) => [String(at), `Row ${at}`, at === 40 ? changed : 'same'])
  const patch = patchOf({ rows: rows('old') }, { rows: rows('new') })
  expect(patch).toEqual({
    in: { rows: { of: [[0, 40], { new: [['40', 'Row 40', 'new']] }, [41, 59]] } },
  })
})

test('what has not changed is the same object', () => {
  const before = { rows: [['a'], ['b']], other: { kept: true } }
  const after = applyPatch(
    before,
    patchOf(before, { rows: [['b'], ['c']], other: { kept: true } })!,
  )
  expect(after).toEqual({ rows: [['b'], ['c']], other: { kept: true } })
  expect((after as typeof before).rows[0]).toBe(before.rows[1])
  expect((after as typeof before).other).toBe(before.other)
})

test('a patch of another value is refused', () => {
  expect(() => applyPatch('text', { of: [[0, 1]] })).toThrow(TypeError)
  expect(() => applyPatch([1], { in: {} })).toThrow(TypeError)
})
