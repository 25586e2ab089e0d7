/** Places in the source where one change of a line makes it wrong. */

import { parseSync, Visitor } from 'vite'

/** A change of one file: what stands from `start` to `end` is replaced. */
export type Break = {
  readonly path: string
  readonly line: number
  /** The line as it is written. */
  readonly written: string
  readonly start: number
  readonly end: number
  readonly was: string
  readonly is: string
}

const OPPOSITES: { readonly [operator: string]: string } = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

/** Every comparison, choice, sum and condition of a file, with what makes it wrong. */
export function breaksOf(path: string, text: string): Break[] {
  const found: Break[] = []
  const types = new Set<number>()
  const add = (start: number, end: number, is: string): void => {
    const line = text.slice(0, start).split('\n').length
    const written = text.split('\n')[line - 1]?.trim() ?? ''
    found.push({ path, line, written, start, end, was: text.slice(start, end), is })
  }
  const turn = (operator: string, left: number, right: number): void => {
    const opposite = OPPOSITES[operator]
    const at = text.indexOf(operator, left)
    if (opposite !== undefined && at < right) add(at, at + operator.length, opposite)
  }
  const negate = ({ start, end }: { start: number; end: number }): void =>
    add(start, end, `!(${text.slice(start, end)})`)
  new Visitor({
    BinaryExpression: ({ operator, left, right }) => turn(operator, left.end, right.start),
    LogicalExpression: ({ operator, left, right }) => turn(operator, left.end, right.start),
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    // A type has no effect.
    TSLiteralType: ({ literal }) => void types.add(literal.start),
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean' && !types.has(start)) add(start, end, String(!value))
    },
  }).visit(parseSync(path, text).program)
  return found
}

/** `count` that may be chosen in an order that the seed alone decides, at most one of a file. */
export function choose(
  all: readonly Break[],
  seed: number,
  count: number,
  mayBe: (one: Break) => boolean = () => true,
): Break[] {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const left = [...all]
  const chosen: Break[] = []
  while (chosen.length < count && left.length > 0) {
    const [one] = left.splice(Math.floor(random() * left.length), 1)
    if (one && mayBe(one) && !chosen.some(({ path }) => path === one.path)) chosen.push(one)
  }
  return chosen
}
