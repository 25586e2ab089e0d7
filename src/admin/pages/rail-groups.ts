/** The sidebar's entries in groups: pinned and recent tables, and all tables by schema and common prefix. */

import type { Preferences } from '../../database/metadata/preferences.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { RailFold, RailItem, ShellView } from '../../protocol/admin-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import { formatterFor } from '../../table/format.ts'
import type { Table } from '../../table/source/schema.ts'
import type { Addresses } from '../addresses.ts'
import { keepPreference, readPreferences } from './preferences.ts'

/** Fewest tables of one prefix that fold together. */
const PREFIX_MIN = 6

/** A sidebar of at most this many tables is short: it is in sight as a whole, so nothing of it is folded or recent. */
const SHORT_MAX = 20

/** What a person has chosen about the sidebar. */
export type RailChoices = {
  /** Names of the tables opened last. */
  readonly recent: readonly string[]
  readonly isPinned: (table: string) => boolean
  /** `undefined` if the person has not chosen. */
  readonly isOpen: (fold: string) => boolean | undefined
}

export async function readChoices(store: Preferences, actor: Actor): Promise<RailChoices> {
  const { recent, stored } = await readPreferences(store, actor)
  return {
    recent,
    isPinned: (table) => stored[pinName(table)] === true,
    isOpen(fold) {
      const isOpen = stored[foldName(fold)]
      return typeof isOpen === 'boolean' ? isOpen : undefined
    },
  }
}

/** Pins a table of a person, or takes it down. Somebody who sees the admin as a role does changes nothing. */
export async function pinTable(
  store: Preferences,
  actor: Actor,
  [table, isPinned]: readonly [string, boolean],
): Promise<void> {
  if (!actor.isLooking) await keepPreference(store, actor, pinName(table), isPinned || null)
}

/** Keeps whether the tables of `id` are open; of other ids than those of `tables`, nothing. */
export async function keepFold(
  store: Preferences,
  actor: Actor,
  [id, isOpen]: readonly [string, boolean],
  tables: readonly TableDefinition[],
): Promise<void> {
  const isKnown = tables.some(({ table }) => schemaId(table) === id || prefixId(table) === id)
  if (isKnown && !actor.isLooking) await keepPreference(store, actor, foldName(id), isOpen)
}

const pinName = (table: string) => `pin ${table}`

const foldName = (fold: string) => `fold ${fold}`

/** Of the schema that a table folds with: empty after the kind in the default schema. */
const schemaId = ({ kind, schema }: Table) =>
  `${kind === 'table' ? 'tables' : 'views'} ${schema === undefined ? '' : `${schema}.`}`

const prefixId = (table: Table) => schemaId(table) + prefixOf(table)

/** `auth_` of `auth_user`; empty for a name of one word. */
function prefixOf({ name, schema }: Table): string {
  const own = schema === undefined ? name : name.slice(schema.length + 1)
  return /^[^_]+_(?=.)/.exec(own)?.[0] ?? ''
}

export type RailReader = Pick<Reader, 'locale' | 'language'> & { readonly addresses: Addresses }

/** Pinned and recent tables, then all of them; without empty groups. */
export function tableGroups(
  tables: Definitions,
  choices: RailChoices,
  reader: RailReader,
): { readonly top: ShellView['groups']; readonly all: ShellView['groups'] } {
  const { compare } = new Intl.Collator(reader.locale)
  const sorted = tables.toSorted((a, b) => compare(a.label, b.label))
  const shared = sharedLabels(tables)
  const item = (definition: TableDefinition) => railItem(definition, shared, reader)
  const isShort = tables.length <= SHORT_MAX
  const folding = { item, isOpen: (id: string) => choices.isOpen(id) ?? (isShort || null) }
  const isPinned = ({ table }: TableDefinition) => choices.isPinned(table.name)
  const byName = new Map(tables.map((one) => [one.table.name, one]))
  const opened = choices.recent.flatMap((name) => byName.get(name) ?? [])
  const recent = isShort ? [] : opened.filter((one) => !isPinned(one))
  const kinds = Map.groupBy(sorted, ({ table }) => (table.kind === 'table' ? 'tables' : 'views'))
  const group = (kind: 'tables' | 'views') => ({
    kind,
    ...bySchema(kinds.get(kind) ?? [], folding),
  })
  const top = [
    { kind: 'pinned' as const, items: sorted.filter(isPinned).map(item) },
    { kind: 'recent' as const, items: recent.map(item) },
  ]
  return { top: top.filter(isFilled), all: [group('tables'), group('views')].filter(isFilled) }
}

const isFilled = ({ items, folds = [] }: ShellView['groups'][number]) =>
  items.length + folds.length > 0

type Definitions = readonly TableDefinition[]

type Folding = {
  isOpen(fold: string): boolean | null
  item(definition: TableDefinition): RailItem
}

/** Tables outside the default schema fold by their schema. */
function bySchema(tables: Definitions, folding: Folding) {
  const schemas = Map.groupBy(tables, ({ table }) => table.schema ?? '')
  const own = byPrefix('', schemas.get('') ?? [], folding)
  const others = [...schemas].filter(([schema]) => schema !== '')
  const folds = others.map(([label, those]): RailFold => {
    const id = those[0] ? schemaId(those[0].table) : ''
    const prefix = commonWords(those, wordsIn(label))
    return { id, label, prefix, isOpen: folding.isOpen(id), ...byPrefix(label, those, folding) }
  })
  return withFolds(own.items, [...(own.folds ?? []), ...folds.toSorted(inOrder)])
}

/** Tables of a schema whose names begin with the same word fold together where they are many. */
function byPrefix(schema: string, tables: Definitions, { isOpen, item }: Folding) {
  const words = wordsIn(schema) + 1
  const prefixes = Map.groupBy(tables, ({ table }) => prefixOf(table))
  const many = [...prefixes].filter(([stored, those]) => stored && those.length >= PREFIX_MIN)
  const folded = new Set(many.flatMap(([, those]) => those))
  const folds = many.map(([stored, those]): RailFold => {
    const id = those[0] ? prefixId(those[0].table) : ''
    const prefix = commonWords(those, words)
    const word = prefix.trim().split(' ').at(-1) ?? ''
    const label = word ? `${word.charAt(0).toUpperCase()}${word.slice(1)} …` : `${stored}…`
    return { id, label, prefix, isOpen: isOpen(id), items: those.map(item) }
  })
  return withFolds(tables.filter((one) => !folded.has(one)).map(item), folds.toSorted(inOrder))
}

/** Words that a schema is in the labels of its tables. */
const wordsIn = (schema: string) => schema.split('_').filter(Boolean).length

/** The first words of the labels and the blank behind them; empty if one label begins otherwise. */
function commonWords(tables: Definitions, count: number): string {
  const first = `${tables[0]?.label.split(' ').slice(0, count).join(' ')} `
  return tables.every(({ label }) => label.startsWith(first)) ? first : ''
}

const inOrder = (a: RailFold, b: RailFold) => (a.label < b.label ? -1 : 1)

const withFolds = (items: RailItem[], folds: RailFold[]) =>
  folds.length > 0 ? { items, folds } : { items }

/** The labels that several tables have, which the sidebar tells apart by their names. */
function sharedLabels(tables: Definitions): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(
    tables.map(({ label }) => label).filter((label) => seen.has(label) || !seen.add(label)),
  )
}

/** Shows the row estimate, shortened and marked as an estimate: it is never a count. */
function railItem(
  { table, label }: TableDefinition,
  shared: ReadonlySet<string>,
  { addresses, ...reader }: RailReader,
): RailItem {
  const { shell } = messagesFor(reader.language)
  const options = { notation: 'compact', maximumFractionDigits: 1 } as const
  const count =
    table.estimate === null
      ? null
      : shell.count.estimate(formatterFor(reader).number(table.estimate, options))
  const real = shared.has(label) && { real: table.name }
  return { name: table.name, label, href: addresses.list(table.name), count, ...real }
}
