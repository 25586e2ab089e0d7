import { expect, test } from 'vitest'
import { breaksOf, choose } from './places.ts'

const TEXT = `type A = true
const a = b === c && d
if (a) run(true)
for (let n = 0; n < 9; n++) run(a ? 1 + n : 2)`

test('a break turns an operator, a condition or a truth round, and leaves types alone', () => {
  const found = breaksOf('src/a.ts', TEXT).map(({ line, was, is }) => `${line} ${was} → ${is}`)
  expect(new Set(found)).toEqual(
    new Set([
      '2 && → ||',
      '2 === → !==',
      '3 a → !(a)',
      '3 true → false',
      '4 + → -',
      '4 < → >=',
      '4 a → !(a)',
    ]),
  )
})

test('the seed alone decides which are chosen, one of a file', () => {
  const all = ['a', 'b', 'c', 'd'].flatMap((name) => breaksOf(`src/${name}.ts`, TEXT))
  const chosen = choose(all, 7, 3)
  expect(choose(all, 7, 3)).toEqual(chosen)
  expect(new Set(chosen.map(({ path }) => path)).size).toBe(3)
  expect(choose(all, 7, 9)).toHaveLength(4)
  // One that may not be chosen is replaced, and the others stay.
  const [first] = chosen
  const others = choose(all, 7, 3, ({ path }) => path !== first?.path)
  expect(others.slice(0, 2)).toEqual(chosen.slice(1))
  expect(others).toHaveLength(3)
})
