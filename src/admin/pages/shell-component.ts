/** What stands around every page: the tables there are, who one is, and how it looks. */

import * as v from 'valibot'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { RailItem, ShellView, ShellComponent } from '../../protocol/page.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import { formatterFor } from '../../table/format.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import type { Addresses } from '../addresses.ts'
import { preferenceSchema, readPreferences } from './preferences.ts'

export type ShellServices = {
  catalog(): Catalog
  readonly metadata: Metadata
  readonly database: { readonly name: string; readonly kind: string }
  readonly addresses: Addresses
  /** Where the shell leads. */
  readonly links: ShellView['links']
}

/** `params` is the table that the page is about, or `null`. */
export type ShellParams = { readonly current: string | null }

export function createShellComponent({
  catalog,
  metadata,
  database,
  addresses,
  links,
}: ShellServices): Component<ShellParams, TypesOf<ShellComponent>> {
  return defineComponent({
    name: 'shell',
    params: v.object({ current: v.nullable(v.string()) }),
    state: {},
    authorize: () => true,
    mount: () => ({}),
    actions: {
      prefer: {
        args: preferenceSchema,
        kind: 'write',
        run: ({ actor }, name, value) => metadata.preferences.set(actor.id, name, value),
      },
    },
    async load({ actor }) {
      const { recent } = await readPreferences(metadata.preferences, actor.id)
      return { data: { actor, recent, tables: catalog().readable(actor) } }
    },
    view({ data: { actor, recent, tables }, params, locale, language }): ShellView {
      const { roles } = messagesFor(language)
      const item = (definition: TableDefinition) =>
        railItem(definition, addresses, { locale, language })
      const opened = recent.flatMap((name) => tables.find(({ table }) => table.name === name) ?? [])
      const [stored, derived] = [tables.filter(isStored), tables.filter((one) => !isStored(one))]
      return {
        database,
        user: { name: actor.name, email: actor.email, role: roles[actor.role] },
        groups: [
          { kind: 'recent', items: opened.map(item) },
          { kind: 'tables', items: byLabel(stored, locale).map(item) },
          { kind: 'views', items: byLabel(derived, locale).map(item) },
        ],
        current: params.current,
        links,
      }
    },
  })
}

const isStored = ({ table }: TableDefinition) => table.kind === 'table'

const byLabel = (tables: readonly TableDefinition[], locale: string) =>
  tables.toSorted((a, b) => a.label.localeCompare(b.label, locale))

/** The catalogue's row estimate, shortened; it is never a count, and says so. */
function railItem(
  { table, label }: TableDefinition,
  { list }: Addresses,
  reader: Reader,
): RailItem {
  const { shell } = messagesFor(reader.language)
  const options = { notation: 'compact', maximumFractionDigits: 1 } as const
  const count =
    table.estimate === null
      ? null
      : shell.count.estimate(formatterFor(reader).number(table.estimate, options))
  return { name: table.name, label, href: list(table.name), count }
}

/**
 * The table to open first: the one that says most, by its links, its size and its columns.
 * `undefined` where there is none.
 */
export function mostInteresting(tables: readonly TableDefinition[]): TableDefinition | undefined {
  const referred = (name: string) =>
    tables.flatMap(({ table }) => table.foreignKeys).filter(({ table }) => table === name).length
  const weight = ({ table, columns }: TableDefinition) =>
    table.foreignKeys.length * 2 +
    referred(table.name) * 2 +
    Math.log10((table.estimate ?? 0) + 1) * 2 +
    ([...columns.values()].some(({ kind }) => kind === 'status') ? 4 : 0) +
    Math.min(columns.size, 12) / 3 -
    (table.kind === 'table' ? 0 : 20)
  return tables.toSorted((a, b) => weight(b) - weight(a))[0]
}
