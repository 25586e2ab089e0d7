/** The shell around every page: the tables, the pages, the person and their preferences. */

import * as v from 'valibot'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { FoundView, RailItem, ShellComponent, ShellView } from '../../protocol/admin-view.ts'
import { SEARCH_MAX } from '../../protocol/constants.ts'
import { recordHref } from '../../protocol/record-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import { type Found, type FoundRecord, findRecords } from '../../table/find/find-records.ts'
import { formatterFor } from '../../table/format.ts'
import { textOf } from '../../table/list/rows.ts'
import { momentColumnOf, tellingTexts } from '../../table/record/telling.ts'
import { planUndo, runUndo, type UndoServices } from '../../table/history/undo.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { roleLabel } from '../accounts/role-texts.ts'
import type { Addresses } from '../addresses.ts'
import type { Changes } from '../changes/changes.ts'
import { preferenceSchema, readPreferences, setPreference } from './preferences.ts'
import { keepFold, pinTable, readChoices, tableGroups } from './rail-groups.ts'

export type ShellServices = {
  readonly source: RowSource
  catalog(): Catalog
  readonly metadata: Metadata
  readonly database: { readonly name: string; readonly kind: string }
  readonly addresses: Addresses
  readonly changes: Changes
  /** What takes changes back; absent where no history is kept. */
  readonly undo?: UndoServices | undefined
  /** Addresses that the shell links to. */
  readonly links: ShellView['links']
  /** Whether administrators have a page of the people who may come in. */
  readonly hasPeople: boolean
  /** The pages that the sidebar lists for an actor. */
  railPages(actor: Actor): Promise<readonly RailItem[]>
}

/** Most tables that the palette offers to search where none is open. */
const SEARCHED_LISTS_MAX = 3

const entryId = v.strictTuple([v.pipe(v.string(), v.maxLength(64))])

export const createShellComponent = ({
  source,
  catalog,
  metadata,
  database,
  addresses,
  changes,
  undo,
  links,
  hasPeople,
  railPages,
}: ShellServices): Component<void, TypesOf<ShellComponent>> =>
  defineComponent({
    name: 'shell',
    state: {},
    authorize: () => true,
    mount: () => ({}),
    actions: {
      prefer: {
        kind: 'write',
        changesRows: false,
        args: preferenceSchema,
        run: ({ actor }, ...preference) => setPreference(metadata.preferences, actor, preference),
      },
      pin: {
        kind: 'write',
        changesRows: false,
        args: v.strictTuple([v.string(), v.boolean()]),
        async run({ actor }, table, isPinned) {
          // Only of tables that the person sees, so that nobody fills the records with other names.
          catalog().open(actor, table)
          await pinTable(metadata.preferences, actor, [table, isPinned])
        },
      },
      fold: {
        kind: 'write',
        changesRows: false,
        args: v.strictTuple([v.string(), v.boolean()]),
        run: ({ actor }, id, isOpen) =>
          keepFold(metadata.preferences, actor, [id, isOpen], catalog().readable(actor)),
      },
      find: {
        kind: 'query',
        args: v.strictTuple([v.pipe(v.string(), v.maxLength(SEARCH_MAX))]),
        async run({ actor, signal, ...reader }, text): Promise<FoundView> {
          const { recent } = await readPreferences(metadata.preferences, actor)
          const names = catalog().schema.tables.map(({ name }) => name)
          const tables = [...new Set([...recent, ...names])]
          const options = { source, catalog: catalog(), actor, tables, signal }
          const found = await findRecords(options, text)
          const readable = tables.filter((name) => catalog().find(actor, name))
          return {
            ...drawFound(found, addresses, reader),
            lists: readable.slice(0, SEARCHED_LISTS_MAX),
          }
        },
      },
      changes: {
        kind: 'query',
        args: v.strictTuple([]),
        run: ({ actor, ...reader }) => changes.statement(actor, reader, catalog()),
      },
      undoPlan: {
        kind: 'query',
        args: entryId,
        run: ({ actor, ...reader }, id) => planUndo(given(undo), actor, { id, reader }),
      },
      undo: {
        kind: 'write',
        args: entryId,
        run: ({ actor, ...reader }, id) => runUndo(given(undo), actor, { id, reader }),
      },
      allowChanges: {
        kind: 'write',
        args: v.strictTuple([v.boolean()]),
        run: ({ actor }, isAllowed) => changes.allow(actor, isAllowed),
      },
    },
    async load({ actor }) {
      const choices = await readChoices(metadata.preferences, actor)
      const tables = catalog().readable(actor)
      return { data: { actor, choices, tables, pages: await railPages(actor) } }
    },
    view({ data: { actor, choices, tables, pages }, locale, language }): ShellView {
      const role = roleLabel(actor.role, catalog().roles, { language })
      const { looking } = messagesFor(language).rolesPage
      const { title } = messagesFor(language).history
      const history = { name: 'history', label: title, href: addresses.history, count: null }
      const listed = [...pages, ...(undo ? [history] : [])]
      const { top, all } = tableGroups(tables, choices, { addresses, locale, language })
      return {
        database,
        user: {
          name: actor.name,
          email: actor.email,
          role,
        },
        groups: [
          ...top,
          ...(listed.length > 0 ? [{ kind: 'pages' as const, items: listed }] : []),
          ...all,
          ...(actor.role === 'admin'
            ? [{ kind: 'admin' as const, items: [peopleItem(addresses, hasPeople, language)] }]
            : []),
        ],
        looking: actor.isLooking
          ? { text: looking.text(role), stop: looking.stop, href: addresses.stopSeeing }
          : null,
        links,
      }
    },
  })

function given(undo: UndoServices | undefined): UndoServices {
  if (!undo) throw new AppError('NOT_FOUND')
  return undo
}

function drawFound(
  { records, isPartial, skipped }: Found,
  { list }: Addresses,
  reader: Reader,
): Omit<FoundView, 'lists'> {
  const { find } = messagesFor(reader.language)
  const formatter = formatterFor(reader)
  const notes = [
    ...(isPartial ? [find.partial] : []),
    ...(skipped.length > 0
      ? [find.skipped(skipped.map(({ definition }) => definition.label))]
      : []),
  ]
  const isAmbiguous = ({ label, open }: FoundRecord) =>
    records.filter(
      (one) => one.label === label && one.open.definition.label === open.definition.label,
    ).length > 1
  /** The table, with the code that was found, or the day or moment where that tells rows of one name apart. */
  const tableText = (one: FoundRecord) => {
    const column = momentColumnOf(one.open)
    const { label } = one.open.definition
    if (one.code) return `${label}, ${one.code.column.label} ${one.code.value}`
    if (one.label === null)
      return [label, ...tellingTexts(one.open, (name) => one.telling.get(name), reader)].join(', ')
    const isTold = column && one.moment !== null && isAmbiguous(one)
    return isTold ? `${label}, ${textOf(formatter.cell(column, one.moment))}` : label
  }
  return {
    records: records.map((one) => ({
      label: one.label ?? one.name,
      table: tableText(one),
      key: one.label !== null && (one.isByKey || isAmbiguous(one)) ? one.name : null,
      href: recordHref(list(one.open.definition.table.name), one.key, ''),
    })),
    note: notes.length === 0 ? null : notes.join(' '),
    isPartial,
  }
}

/** The page of roles stands below that of people. */
function peopleItem(addresses: Addresses, hasPeople: boolean, language: string): RailItem {
  const { directory, rolesPage } = messagesFor(language)
  return hasPeople
    ? { name: 'people', label: directory.title, href: addresses.people, count: null }
    : { name: 'roles', label: rolesPage.words.title, href: addresses.roles, count: null }
}
