import * as v from 'valibot'
import { expect, test } from 'vitest'
import { byName } from './by-name.ts'

const numbers = byName(v.number(), v.pipe(v.string(), v.maxLength(11)))

test('keeps all names, and makes no other object of them', () => {
  const json = '{"constructor":1,"prototype":2,"__proto__":3,"toString":4,"":5}'
  const read = v.parse(numbers, JSON.parse(json))
  expect(JSON.stringify(read)).toBe(json)
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
})

test('refuses other values and names, and says where', () => {
  for (const input of [null, [], 1, 'n', { n: '1' }, { 'far too long a name': 1 }])
    expect(v.is(numbers, input)).toBe(false)
  const { issues = [] } = v.safeParse(numbers, { n: 1, constructor: 'x' })
  expect(issues.map((issue) => v.getDotPath(issue))).toEqual(['constructor'])
})
