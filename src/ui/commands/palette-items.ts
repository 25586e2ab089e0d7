/** What the palette offers for a text: tables and pages, actions, and records that were found. */

import type { FoundRecord, RailItem, ShellView } from '../../protocol/admin-view.ts'
import type { PageMessages } from '../../messages/messages.ts'
import { allItems, tablesOf } from '../shell/rail-items.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Keys } from './key-names.ts'
import type { Recent } from './recent.ts'
import type { Command } from './registry.ts'

export type Item = {
  readonly id: string
  readonly label: string
  readonly detail: string
  readonly icon: IconName
  readonly keys: Keys | undefined
  /** Whether Enter chooses it only once nothing else may be found. Default: false. */
  readonly isFallback?: true
} & (
  | { readonly href: string; readonly isPlace: boolean; readonly run?: undefined }
  | { readonly run: () => unknown; readonly href?: undefined }
)

export type Section = { readonly title: string; readonly items: readonly Item[] }

export type Offer = {
  readonly text: string
  readonly groups: ShellView['groups']
  readonly commands: readonly Command[]
  readonly recent: readonly Recent[]
  readonly records: readonly FoundRecord[]
  /** The table that is open, and others whose lists may be searched, by name. */
  readonly current: string | null
  readonly lists: readonly string[]
  readonly messages: PageMessages['commands']
}

/** Most tables that are listed before anything is typed, and that match a text. */
const TABLES_MAX = 8

/** The sections that have items. Records come after them, so that nothing moves when they arrive. */
export function sectionsOf(offer: Offer): Section[] {
  const { text, groups, commands, messages, records } = offer
  const wanted = text.trim().toLowerCase()
  const own = groups.filter(({ kind }) => kind !== 'pinned' && kind !== 'recent')
  const tables = best(own.flatMap(allItems), wanted, ({ label, name }) => `${label} ${name}`)
  const actions = best(
    commands.filter(({ isKeyOnly }) => !isKeyOnly),
    wanted,
    ({ label }) => label,
  ).map(commandItem)
  const recent = wanted === '' ? recentItems(offer) : []
  const sections = [
    { title: messages.groups.recent, items: recent },
    { title: messages.groups.tables, items: withCurrent(tables, offer).map(placeItem) },
    { title: messages.groups.actions, items: actions },
    { title: messages.groups.records, items: records.map((one) => recordItem(one, messages)) },
    { title: messages.groups.search, items: wanted === '' ? [] : searches(offer) },
  ]
  return sections.filter(({ items }) => items.length > 0)
}

/** As many as are listed; the table that is open is one of them. */
function withCurrent(tables: readonly RailItem[], { current }: Offer): readonly RailItem[] {
  const at = tables.findIndex(({ name }) => name === current)
  const here = tables[at]
  return at >= TABLES_MAX && here
    ? [...tables.slice(0, TABLES_MAX - 1), here]
    : tables.slice(0, TABLES_MAX)
}

/** What is not found by name may stand anywhere in a row: searches the list that is open, or the likely ones. */
function searches({ text, current, lists, messages, groups }: Offer): Item[] {
  const tables = tablesOf({ groups })
  const named = (wanted: string | null) => tables.find(({ name }) => name === wanted)
  const open = named(current)
  const offered = open ? [open] : lists.flatMap((name) => named(name) ?? [])
  const search = text.trim()
  return offered.map(({ name, label, href, real = '' }) => ({
    ...{ id: `search ${name}`, label: messages.searchList(label, search), detail: real },
    ...{ href: `${href}?${new URLSearchParams({ search })}`, isPlace: false, keys: undefined },
    ...{ icon: 'search' as const, isFallback: true as const },
  }))
}

/** What was opened from the palette in this tab, else the tables that were opened last. */
function recentItems({ recent, groups }: Offer): Item[] {
  if (recent.length > 0) return recent.map((one) => linkItem('recent', one))
  const opened = groups.find(({ kind }) => kind === 'recent')?.items ?? []
  return opened.map((one) => ({ ...placeItem(one), id: `recent ${one.href}` }))
}

const linkItem = (kind: string, { label, detail, href }: Recent): Item => ({
  ...{ id: `${kind} ${href}`, label, detail, href, isPlace: true, keys: undefined },
  icon: detail === '' ? 'display' : 'next',
})

const placeItem = ({ label, href, real = '' }: RailItem): Item => ({
  ...linkItem('table', { label, detail: real, href }),
  icon: 'display',
})

const recordItem = ({ label, table, key, href }: FoundRecord, messages: Offer['messages']): Item =>
  linkItem('record', { label, detail: messages.record(table, key), href })

const commandItem = ({ label, icon = 'next', keys, run, href }: Command): Item => {
  const shown = { id: `command ${label}`, label, detail: '', icon, keys }
  return run ? { ...shown, run } : { ...shown, href, isPlace: false }
}

/** Those that hold every word of the text; first those that begin with it. */
function best<Thing>(
  things: readonly Thing[],
  wanted: string,
  textOf: (thing: Thing) => string,
): Thing[] {
  const rank = (thing: Thing) => (textOf(thing).toLowerCase().startsWith(wanted) ? 0 : 1)
  return things
    .filter((thing) => holds(textOf(thing), wanted))
    .toSorted((a, b) => rank(a) - rank(b))
}

/** Whether the text holds every word of `wanted`, in any case. */
export const holds = (text: string, wanted: string): boolean => {
  const whole = text.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
}

/** The text in parts; those at odd places are what was typed, to be marked. */
export function markedParts(label: string, text: string): string[] {
  const words = text.trim().split(/\s+/).filter(Boolean).map(escaped)
  return words.length === 0 ? [label] : label.split(new RegExp(`(${words.join('|')})`, 'i'))
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
