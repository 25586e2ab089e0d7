/** Checks custom kinds of columns. */

import * as v from 'valibot'
import { COLUMN_KINDS } from '../../protocol/table-view.ts'
import { checkFields, type Field, fitting, isPlainObject, wrong } from './fields.ts'
import { COLUMN_FILTERS, type Kind } from './kind.ts'
import { type Problem, quoted, report } from './problems.ts'

const fn: Field = { schema: v.function(), expected: 'a function' }
const yesOrNo: Field = { schema: v.boolean(), expected: 'true or false' }
const object: Field = { schema: v.custom(isPlainObject), expected: 'an object' }
const texts = v.array(v.string())
const RULE = v.looseObject({ when: v.array(v.function()) })

/** The options of a kind. */
export const KIND_FIELDS = {
  name: {
    // Pages use it in the name of a CSS class.
    schema: v.pipe(v.string(), v.maxLength(40), v.regex(/^[a-z][a-z\d]*(-[a-z\d]+)*$/)),
    expected: 'small letters, digits and dashes, such as rating',
  },
  infer: { schema: v.array(RULE), expected: 'a list of rules, such as { when: [test] }' },
  defaultFor: { schema: texts, expected: 'a list of types' },
  check: fn,
  cell: fn,
  value: fn,
  order: {
    schema: v.union([v.string(), v.object({ ascending: v.string(), descending: v.string() })]),
    expected: 'the name of an order, or { ascending, descending }',
  },
  layout: object,
  summary: { schema: v.looseObject({ infer: v.function() }), expected: 'such as { infer }' },
  beginnings: { schema: texts, expected: 'a list of words' },
  endings: { schema: texts, expected: 'a list of words' },
  namesRows: yesOrNo,
  isShownLast: yesOrNo,
  showsPictures: yesOrNo,
  filter: {
    schema: v.picklist(COLUMN_FILTERS),
    expected: `one of ${COLUMN_FILTERS.join(', ')}`,
    names: COLUMN_FILTERS,
  },
} satisfies { [option in keyof Kind]-?: Field }

/** Every mistake of `kinds`. */
export function checkKinds(kinds: unknown): Problem[] {
  if (!Array.isArray(kinds)) return [wrong('kinds', 'a list of kinds', kinds)]
  const names = kinds.map((kind: unknown) => (isPlainObject(kind) ? kind['name'] : undefined))
  return kinds.flatMap((kind: unknown, place) => {
    const path = `kinds[${place}]`
    if (!isPlainObject(kind)) return [wrong(path, 'an object, as defineKind makes it', kind)]
    const { name } = kind
    if (name === undefined) return [report(`${path}.name`, 'a kind needs a name.')]
    return [...checkFields(kind, KIND_FIELDS, path), ...checkName(name, `${path}.name`)]
  })

  function checkName(name: unknown, at: string): Problem[] {
    if (COLUMN_KINDS.some((builtIn) => builtIn === name))
      return [report(at, `${quoted(name)} is a built-in kind.`)]
    return names.filter((other) => other === name).length > 1
      ? [report(at, `${quoted(name)} is the name of several kinds.`)]
      : []
  }
}

/** The kinds with a valid name, without invalid options. */
export const fittingKinds = (kinds: unknown): Kind[] =>
  (Array.isArray(kinds) ? kinds.filter(isPlainObject) : []).flatMap((kind) => {
    const { name, ...rest } = fitting(kind, KIND_FIELDS)
    return typeof name === 'string' ? [{ name, ...rest }] : []
  })
