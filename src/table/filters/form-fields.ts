/** Reads the filter form of a page without script: the filters' values, and what its buttons ask for. */

import { DATE_PICKER, SEARCH_MAX } from '../../protocol/constants.ts'
import { formatDate, parseDate } from '../../protocol/date-format.ts'
import {
  BUILDER,
  encodeText,
  type FilterEntries,
  type FormCondition,
  type FormGroup,
  readList,
  type RelatedRows,
  TEXT_TESTS,
} from '../../protocol/filters.ts'
import {
  isTwoNumbers,
  type NumberSigns,
  readNumberList,
  readTyped,
} from '../../protocol/typed-numbers.ts'
import type { OpenTable } from '../catalog.ts'
import { momentIn } from '../search/shown-values.ts'
import { listOf, PREFIX } from './address.ts'
import { badFilter, type Filter } from './filter.ts'
import { conditionsIn, filtersOf, type Scope, scopeOf, unknownFilter } from './offered.ts'
import { checkedValues } from './read-filters.ts'

/**
 * What the pressed button asks for: to apply the form, or to draw it again with the conditions that were
 * begun, with another group, without a condition or group, or with what is found for a field.
 */
const STEP = /^(?:apply|(more|group|remove|find):(.+))$/s

/** Whether the parameter `filters` says so. */
export const isStep = (given: string | null): given is string => given !== null && STEP.test(given)

export type FormRead = {
  readonly values: ReturnType<typeof checkedValues>
  readonly entries: FilterEntries
  /** Whether all that was asked for is in the values, so that nothing is left to draw. */
  readonly isDone: boolean
}

/** Throws for a filter that is unknown, forbidden or misformed, as for an address. */
export function readForm(
  query: URLSearchParams,
  step: string,
  open: OpenTable,
  locale: string,
): FormRead {
  const [, verb = 'apply', path = ''] = STEP.exec(step) ?? []
  const root = fieldsIn(query)
  if (verb === 'remove') removeAt(root, path.split('.'))
  const added = verb === 'group' ? addGroup(root, path.split('.')) : null
  const form = new FormReading(locale, verb === 'find' ? path : null)
  const given = form.valuesOf(root, { filters: filtersOf(open), open })
  const checked = checkedValues(withSome(given), open)
  const values = Object.fromEntries(Object.entries(checked).filter(([key]) => !isAny(given[key])))
  const [waiting = null] = form.waiting
  const at = verb === 'remove' ? path.replace(/\.[^.]*$/, '') : (added ?? waiting ?? path)
  return {
    values,
    entries: { ...entriesOf(given, open), finds: form.finds, at: at === '' ? null : at },
    isDone: verb === 'apply' && waiting === null,
  }
}

/** Conditions on related rows are checked, even if the form says then that any rows will do. */
const withSome = (given: Values): Values =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      isAny(value) ? { ...value, rows: 'some' } : value,
    ]),
  )

const isAny = (value: unknown): value is object =>
  isObject(value) && 'where' in value && 'rows' in value && value.rows === ''

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What conditions there are in some values: the rest of the form is drawn from the values themselves. */
export function entriesOf(values: Values, open: OpenTable): FilterEntries {
  const entries: FilterEntries = { at: null, groups: {}, begun: {}, finds: {} }
  for (const [key, value] of Object.entries(values)) {
    if (key === BUILDER && isGroup(value)) enter(BUILDER, value, BUILDER, open)
    const rows = begunIn(value)
    if (rows) entries.begun[key] = rows
    enterWhere(key, value, key, open)
  }
  return entries

  function enter(path: string, group: RawGroup, key: string, from: OpenTable): void {
    entries.groups[path] = groupOf(path, group, key, from)
  }

  function enterWhere(path: string, value: unknown, key: string, from: OpenTable): void {
    const where = isObject(value) && 'where' in value ? value.where : undefined
    if (isGroup(where) && !isAny(value)) enter(`${path}.where`, where, key, from)
  }

  function groupOf(path: string, { join, of }: RawGroup, key: string, from: OpenTable): FormGroup {
    const scope = scopeOf(key, from)
    const conditions = scope && conditionsIn(scope.filters, scope.open)
    return {
      join: join === 'or' ? 'or' : 'and',
      of: of.map((one, at): FormGroup | FormCondition => {
        const own = `${path}.${at + 1}`
        if (isGroup(one)) return groupOf(own, one, key, from)
        const { filter, value } = one
        enterWhere(own, value, filter, scope?.open ?? from)
        const made = conditions?.(filter, value).condition
        return { filter, value: made?.value ?? begunIn(value) ?? null }
      }),
    }
  }
}

/** Every one of some rows is a value only with conditions, which come afterwards. */
function begunIn(value: unknown): RelatedRows | undefined {
  const rows = isObject(value) && 'rows' in value ? value.rows : undefined
  return rows === 'every' ? { rows } : undefined
}

type Values = { readonly [key: string]: unknown }

/** A group and its conditions, whose values are still to be checked. */
type RawGroup = { readonly join: unknown; readonly of: readonly (RawGroup | RawCondition)[] }
type RawCondition = { readonly filter: string; readonly value: unknown }

/** Groups were made below, or were checked. */
const isGroup = (value: unknown): value is RawGroup => isObject(value) && 'of' in value

/** A name in the form: what was entered under it, and the names that go on after a dot. */
type Field = { readonly texts: string[]; readonly parts: Map<string, Field> }

const newField = (): Field => ({ texts: [], parts: new Map() })

function partOf({ parts }: Field, name: string): Field {
  const before = parts.get(name)
  if (before) return before
  const part = newField()
  parts.set(name, part)
  return part
}

function fieldsIn(query: URLSearchParams): Field {
  const root = newField()
  for (const [name, text] of query) {
    if (!name.startsWith(PREFIX)) continue
    const parts = name.slice(PREFIX.length).split('.')
    parts.reduce(partOf, root).texts.push(text)
  }
  return root
}

const at = (root: Field, path: readonly string[]): Field | undefined =>
  path.reduce<Field | undefined>((field, name) => field?.parts.get(name), root)

function removeAt(root: Field, path: readonly string[]): void {
  at(root, path.slice(0, -1))?.parts.delete(path.at(-1) ?? '')
}

/** Adds a group to a group, or begins the conditions on related rows. Returns its path. */
function addGroup(root: Field, path: readonly string[]): string {
  const field = path.reduce(partOf, root)
  const owner = path.slice(0, -1).reduce(partOf, root)
  if (path.at(-1) === 'where' && !field.parts.has('join')) {
    partOf(field, 'join').texts.push('and')
    const rows = partOf(owner, 'rows').texts
    rows[0] ||= 'some'
    return path.join('.')
  }
  const numbers = [...field.parts.keys()].filter(isNumber).map(Number)
  const number = String(Math.max(0, ...numbers) + 1)
  partOf(partOf(field, number), 'join').texts.push('or')
  // The new group comes after the others, so that its number is its place.
  return [...path, String(childrenOf(field).filter(isFilledIn).length)].join('.')
}

const isNumber = (name: string): boolean => /^\d{1,4}$/.test(name)

const childrenOf = ({ parts }: Field): Field[] =>
  [...parts]
    .filter(([name]) => isNumber(name))
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([, part]) => part)

const textOf = ({ parts }: Field, name: string): string => parts.get(name)?.texts[0] ?? ''

/** A group, or a condition whose filter was chosen. */
const isFilledIn = (field: Field): boolean =>
  field.parts.has('join') || textOf(field, 'filter') !== ''

/** Parts that say which fields count, or what is looked for. */
const ABOUT = ['mode', 'list', 'find', 'found']

/** All parts that the form of any filter has; those that are not shown for its test do not count. */
const KNOWN: ReadonlySet<string> = new Set([
  ...[
    ...ABOUT,
    'min',
    'max',
    'minDate',
    'maxDate',
    'preset',
    'since',
    'until',
    'text',
    'test',
    'not',
  ],
  ...['in', 'notIn', 'is', 'empty', 'rows', 'where'],
])

const DAYS = ['minDate', 'maxDate', 'since', 'until']

const TESTS: ReadonlySet<string> = new Set(TEXT_TESTS.flatMap((test) => [test, `not-${test}`]))

/** The filter whose value is read, and what it is one of. */
type About = { readonly key: string; readonly scope: Scope | undefined }

/** Makes values of fields, and notes what the form is to be drawn again for. */
class FormReading {
  readonly finds: { [path: string]: string } = {}
  /** Paths of the fields that still have to be shown. */
  readonly waiting: string[] = []
  readonly #locale: string
  readonly #find: string | null

  /** `find` is the path of the field whose button was pressed. */
  constructor(locale: string, find: string | null) {
    this.#locale = locale
    this.#find = find
  }

  valuesOf({ parts }: Field, scope: Scope): Values {
    const values = [...parts].map(([key, field]) => {
      if (field.texts.length > 0) throw badFilter(key, ({ filter }) => filter.badForm)
      const value =
        key === BUILDER
          ? this.#groupOf(field, key, scope)
          : this.#valueOf(field, key, { key, scope })
      return [key, value]
    })
    return Object.fromEntries(values)
  }

  #groupOf(field: Field, path: string, scope: Scope | undefined): RawGroup {
    const strange = [...field.parts.keys()].find((name) => name !== 'join' && !isNumber(name))
    if (strange !== undefined) throw unknownFilter(`${path}.${strange}`)
    const of = childrenOf(field)
      .filter(isFilledIn)
      .map((child, place) => this.#nodeOf(child, `${path}.${place + 1}`, scope))
    return { join: textOf(field, 'join'), of }
  }

  #nodeOf(field: Field, path: string, scope: Scope | undefined): RawGroup | RawCondition {
    if (field.parts.has('join')) return this.#groupOf(field, path, scope)
    const parts = new Map(field.parts)
    parts.delete('filter')
    // Its fields were not drawn yet, or one of them would be here.
    if (parts.size === 0) this.waiting.push(path)
    const filter = textOf(field, 'filter')
    return { filter, value: this.#valueOf({ texts: [], parts }, path, { key: filter, scope }) }
  }

  #valueOf(field: Field, path: string, about: About): Values {
    for (const [name, { parts }] of field.parts)
      if (!KNOWN.has(name) || (parts.size > 0 && name !== 'where'))
        throw unknownFilter(`${path}.${name}`)
    this.#note(field, path)
    const text = (name: string) => textOf(field, name)
    const all = (name: string) => listOf(field.parts.get(name)?.texts ?? [])
    const mode = text('mode')
    if (mode === 'empty' || mode === 'filled') return { empty: mode === 'empty' }
    if (mode === 'in' || mode === 'notIn')
      return { [mode]: [...all('in'), ...all('notIn'), ...this.#listOf(text('list'), path, about)] }
    // A form that showed a range before has its two fields.
    const day = (name: string) => this.#dayOf(text(name), about)
    if (mode === 'since') return { since: day('since') || day('minDate') }
    if (mode === 'until') return { until: day('until') || day('maxDate') }
    if (TESTS.has(mode))
      return { test: mode.replace('not-', ''), text: text('text'), not: mode.startsWith('not-') }
    if (mode !== '' && mode !== 'range') throw badFilter(path, ({ filter }) => filter.badForm)
    return this.#partsOf(field, path, about)
  }

  #partsOf(field: Field, path: string, about: About): Values {
    const preset = textOf(field, 'preset')
    if (preset !== '') return { preset }
    const given = [...field.parts].filter(([name]) => !ABOUT.includes(name))
    const parts = given.map(([name, part]) => [name, this.#partOf(name, part, path, about)])
    return Object.fromEntries(parts)
  }

  #partOf(name: string, part: Field, path: string, { key, scope }: About): unknown {
    const [text = ''] = part.texts
    if (name === 'in' || name === 'notIn') return listOf(part.texts)
    if (name === 'min' || name === 'max')
      return this.#numberOf(text, path, scope?.filters.get(key)?.numbers)
    if (DAYS.includes(name)) return this.#dayOf(text, { key, scope })
    if (part.parts.size === 0) return text
    return this.#groupOf(part, `${path}.where`, scope && scopeOf(key, scope.open))
  }

  /** As the filter takes days, where it is written as cells show them; else the text as it is. */
  #dayOf(text: string, { key, scope }: About): string {
    const format = scope?.filters.get(key)?.dayFormat ?? DATE_PICKER.format
    if (parseDate(text, format) !== undefined) return text
    const shown = momentIn(text.trim(), this.#locale)
    return shown && shown.time === undefined ? formatDate(shown.day, format) : text
  }

  /** The values of a list that was typed. */
  #listOf(text: string, path: string, { key, scope }: About): string[] {
    const numbers = scope?.filters.get(key)?.numbers
    const texts = numbers
      ? readNumberList(text, { locale: this.#locale }).map((one) =>
          String(this.#numberOf(one, path, numbers)),
        )
      : readList(text)
    return texts.map(encodeText)
  }

  /** The number, or the text if it is none. A filter without numbers of its own takes any of them. */
  #numberOf(text: string, path: string, numbers: Filter['numbers'] = { thousandths: true }) {
    const signs: NumberSigns = { locale: this.#locale, ...numbers }
    if (isTwoNumbers(text, signs)) throw badFilter(path, ({ filter }) => filter.twoNumbers)
    return readTyped(text, signs) ?? text
  }

  /** Notes what is looked for: a text that nobody has looked for yet, or what a button asks about. */
  #note(field: Field, path: string): void {
    const text = textOf(field, 'find').trim()
    const isNew = text !== textOf(field, 'found')
    if (text.length > SEARCH_MAX)
      throw badFilter(path, ({ filter }, number) => filter.longText(number(SEARCH_MAX)))
    const isAsked = this.#find === path
    if (text !== '' || isAsked) this.finds[path] = text
    if (isAsked || (text !== '' && isNew)) this.waiting.push(path)
  }
}
