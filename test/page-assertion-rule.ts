/** The rule on assertions about a page: they wait for what they expect, since a page is never at once. */

import { parseSync } from 'vite'
import type { SourceFile } from './source-rules.ts'

/** What reads a page, or an element of it, as it is at the moment. */
const READS = new Set([
  'allInnerTexts',
  'allTextContents',
  'boundingBox',
  'content',
  'count',
  'evaluate',
  'evaluateAll',
  'getAttribute',
  'innerHTML',
  'innerText',
  'inputValue',
  'isChecked',
  'isDisabled',
  'isEditable',
  'isEnabled',
  'isHidden',
  'isVisible',
  'textContent',
  'title',
])

/** Functions of the tests that do so, and are imported by name. */
const SHARED = ['columnOn', 'keysOn']

/** A call of `expect` with something that was read once, and what it was given. */
export type OneShot = { readonly call: Node; readonly given: Node; readonly ancestors: Node[] }

/**
 * Assertions on what a page shows at the moment (`expect(await rows.count())`), which fail by chance:
 * `await expect.poll(() => rows.count())` waits. A value that must be so at once is read into a variable.
 */
export const impatient = (file: SourceFile): string[] => {
  const lines = file.text.split('\n')
  return oneShotsOf(file).map(({ call }) => {
    const line = file.text.slice(0, call.start).split('\n').length
    return `${file.path}:${line} ${lines[line - 1]?.trim()}`
  })
}

export function oneShotsOf({ path, text }: SourceFile): OneShot[] {
  if (!/\bexpect\(/.test(text)) return []
  const { body } = parseSync(path, text).program
  const readers = new Set(SHARED)
  visit(body, (node) => {
    const { type, id, init } = node
    if (type === 'VariableDeclarator' && isNode(id) && isNode(init) && returnsRead(init))
      readers.add(String(id['name']))
  })
  const found: OneShot[] = []
  visit(body, (call, ancestors) => {
    const [given] = argumentsOf(call)
    if (nameOf(call['callee']) === 'expect' && given && readsOnce(given, readers))
      found.push({ call, given, ancestors: [...ancestors] })
  })
  return found
}

/** Whether it is `() => page.….count()`. */
const returnsRead = ({ type, body }: Node): boolean =>
  type === 'ArrowFunctionExpression' && isNode(body) && isRead(body, new Set())

function readsOnce(given: Node, readers: ReadonlySet<string>): boolean {
  let does = false
  visit(given, ({ type, argument }, ancestors) => {
    const isOwn = !ancestors.some((one) => one.type.endsWith('FunctionExpression'))
    if (type === 'AwaitExpression' && isOwn && isNode(argument)) does ||= isRead(argument, readers)
  })
  return does
}

function isRead({ type, callee }: Node, readers: ReadonlySet<string>): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false
  if (callee.type === 'MemberExpression') return READS.has(nameOf(callee['property']))
  return readers.has(nameOf(callee))
}

const argumentsOf = ({ type, arguments: all }: Node): Node[] =>
  type === 'CallExpression' && Array.isArray(all) ? all.filter(isNode) : []

const nameOf = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : ''

function visit(
  node: unknown,
  see: (node: Node, ancestors: readonly Node[]) => void,
  ancestors: readonly Node[] = [],
): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see, ancestors)
  if (!isNode(node)) return
  see(node, ancestors)
  const own = [...ancestors, node]
  for (const part of Object.values(node)) visit(part, see, own)
}

type Node = { readonly [property: string]: unknown } & {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
