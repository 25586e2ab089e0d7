/** What stands around every page: the tables there are, who one is, and how it looks. */

import * as v from 'valibot'
import type { Metadata } from '../database/metadata/metadata.ts'
import type { RailItem, ShellView } from '../protocol/page.ts'
import { type Component, defineComponent } from '../server/component.ts'
import type { Catalog } from '../table/catalog.ts'
import { formatterFor } from '../table/format.ts'
import type { TableDefinition } from '../table/table-definition.ts'
import { listPath } from './addresses.ts'
import { preferenceSchema, readPreferences } from './preferences.ts'

export type ShellServices = {
  catalog(): Catalog
  readonly metadata: Metadata
  readonly database: { readonly name: string; readonly kind: string }
}

/** `params` is the table that the page is about, or `null`. */
export type ShellParams = { readonly current: string | null }

export function createShellComponent({
  catalog,
  metadata,
  database,
}: ShellServices): Component<ShellParams> {
  return defineComponent({
    name: 'shell',
    state: { current: v.nullable(v.string()) },
    authorize: () => true,
    mount: (_context, { current }: ShellParams) => ({ current }),
    actions: {
      prefer: {
        args: preferenceSchema,
        write: true,
        run: ({ actor }, name, value) => metadata.preferences.set(actor.id, name, value),
      },
    },
    async view({ actor, state, locale }): Promise<ShellView> {
      const tables = catalog().readable(actor)
      const { recent } = await readPreferences(metadata.preferences, actor.id)
      const item = (definition: TableDefinition) => railItem(definition, locale)
      const opened = recent.flatMap((name) => tables.find(({ table }) => table.name === name) ?? [])
      const kind = (kind: 'table' | 'view') =>
        byLabel(tables.filter(({ table }) => table.kind === kind)).map(item)
      return {
        database,
        user: { name: actor.name, email: actor.email, role: actor.role },
        groups: [
          { kind: 'recent', items: opened.map(item) },
          { kind: 'tables', items: kind('table') },
          { kind: 'views', items: kind('view') },
        ],
        current: state.current,
      }
    },
  })
}

const byLabel = (tables: readonly TableDefinition[]) =>
  tables.toSorted((a, b) => a.label.localeCompare(b.label))

/** The catalogue's row estimate, shortened; it is never a count, and says so. */
function railItem({ table, label }: TableDefinition, locale: string): RailItem {
  const options = { notation: 'compact', maximumFractionDigits: 1 } as const
  const count =
    table.estimate === null ? null : `≈ ${formatterFor(locale).number(table.estimate, options)}`
  return { name: table.name, label, href: listPath(table.name), count }
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
    (table.kind === 'view' ? 20 : 0)
  return tables.toSorted((a, b) => weight(b) - weight(a))[0]
}
