/** The rule that words for people stand in the catalogues: what in a source file breaks it. */

import { type ESTree, parseSync, Visitor } from 'vite'
import type { SourceFile } from './source-rules.ts'

/** The catalogues themselves, and the command, which speaks to whoever starts it. */
const EXEMPT = /^(?:messages|cli)\//

/** What is handed to these is for developers and logs: misuse, a start that fails, warnings. */
const FOR_DEVELOPERS = /^(?:(?!App)\w*Error|emitWarning|log|report|warn)$/

/** Attributes that are shown or read out. */
const SHOWN = new Set(['aria-label', 'alt', 'label', 'placeholder', 'title'])

/** Begins as a sentence does, ends as one, or joins two values by a word. */
const SENTENCE = /^\p{Lu}\p{Ll}+ \p{Ll}|\p{L}{2} .*[^\s.…][.!?]$|… \p{Ll}{2,} …/u

/** Texts that look like words for people, `…` standing for what is filled in. */
export function strayCopy({ path, text }: SourceFile): string[] {
  if (EXEMPT.test(path)) return []
  const found: string[] = []
  let excused = 0
  const excuse = (isExcused: boolean, by: 1 | -1) => void (isExcused && (excused += by))
  const judge = (words: string) => void (excused === 0 && SENTENCE.test(words) && found.push(words))
  const call = (by: 1 | -1) => (node: ESTree.NewExpression | ESTree.CallExpression) =>
    excuse(FOR_DEVELOPERS.test(nameOf(node.callee)), by)
  const key = (by: 1 | -1) => (node: ESTree.JSXElement) =>
    excuse(nameOf(node.openingElement.name) === 'kbd', by)
  new Visitor({
    NewExpression: call(1),
    'NewExpression:exit': call(-1),
    CallExpression: call(1),
    'CallExpression:exit': call(-1),
    // Queries are words as well, but not for people.
    TaggedTemplateExpression: () => excuse(true, 1),
    'TaggedTemplateExpression:exit': () => excuse(true, -1),
    JSXElement: key(1),
    'JSXElement:exit': key(-1),
    Literal: ({ value }) => void (typeof value === 'string' && judge(value)),
    TemplateLiteral: ({ quasis }) => judge(quasis.map(({ value }) => value.cooked).join('…')),
    JSXText: ({ value }) =>
      void (excused === 0 && /\p{L}{2}/u.test(value) && found.push(value.trim())),
    JSXAttribute({ name, value }) {
      if (SHOWN.has(nameOf(name)) && value?.type === 'Literal') found.push(String(value.value))
    },
  }).visit(parseSync(path, text).program)
  return found.map((words) => `${path}: ${words}`)
}

/** `c` for `a.b.c`, and for everything that is just called so. */
function nameOf(node: ESTree.Node): string {
  if ('property' in node) return nameOf(node.property)
  return 'name' in node && typeof node.name === 'string' ? node.name : ''
}
