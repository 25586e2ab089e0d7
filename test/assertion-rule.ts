/** The rule on type assertions: each carries its reason, since the compiler takes it on trust. */

import { parseSync } from 'vite'
import { type SourceFile, withoutComments } from './source-rules.ts'

type Found = {
  readonly what: 'as' | '!'
  /** Its line, and the line where the statement or property around it begins; from 0. */
  readonly line: number
  readonly begin: number
}

/**
 * Assertions (`x as T`, `<T>x`, `x!`, `let x!: T`) without a `//` comment that ends on the line above, or
 * stands at the end of the line. `as const` and renamed imports assert nothing.
 */
export function baseless(file: SourceFile): string[] {
  const found = assertionsOf(file)
  if (found.length === 0) return []
  const lines = file.text.split('\n')
  const commented = commentedLines(file)
  const isReasoned = (line: number): boolean =>
    commented.at.has(line) || commented.alone.has(line - 1)
  return found
    .filter(({ line, begin }) => !isReasoned(line) && !isReasoned(begin))
    .map(({ what, line }) => `${file.path}:${line + 1} (${what}) ${lines[line]?.trim()}`)
}

export function assertionsOf({ path, text }: SourceFile): Found[] {
  const found: Found[] = []
  // Parsing takes a while, and most files assert nothing.
  if (!MAY_ASSERT.test(withoutComments(text))) return found
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - 1
  function walk(node: unknown, begin: number): void {
    if (Array.isArray(node)) for (const one of node) walk(one, begin)
    if (!isNode(node)) return
    const own = BEGINS.test(node.type) ? node.start : begin
    const asserted = assertionIn(node)
    if (asserted) found.push({ what: asserted.what, line: lineAt(asserted.at), begin: lineAt(own) })
    for (const part of Object.values(node)) walk(part, own)
  }
  walk(parseSync(path, text).program.body, 0)
  return found
}

const MAY_ASSERT = /\bas (?!const\b)|[\w)\]]!(?!=)|=\s*<\w+>\w/

/** What a comment above is about, as a whole. */
const BEGINS = /(?:Statement|Declaration|Property|PropertyDefinition|JSXAttribute)$/

function assertionIn(node: Node): { what: Found['what']; at: number } | undefined {
  const { type, start, end, typeAnnotation } = node
  if (type === 'TSNonNullExpression') return { what: '!', at: end - 1 }
  if (node['definite'] === true) return { what: '!', at: start }
  if (type !== 'TSAsExpression' && type !== 'TSTypeAssertion') return undefined
  return isNode(typeAnnotation) && !isConst(typeAnnotation)
    ? { what: 'as', at: typeAnnotation.start }
    : undefined
}

const isConst = ({ typeName }: Node): boolean => isNode(typeName) && typeName['name'] === 'const'

type Node = { readonly [property: string]: unknown } & {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Lines that hold a `//` comment, and those that hold nothing else. */
function commentedLines({ path, text }: SourceFile) {
  const at = new Set<number>()
  const alone = new Set<number>()
  for (const { type, start } of parseSync(path, text).comments) {
    if (type !== 'Line') continue
    const before = text.slice(0, start).split('\n')
    at.add(before.length - 1)
    if (before.at(-1)?.trim() === '') alone.add(before.length - 1)
  }
  return { at, alone }
}
