/** The shell around every page: the tables, the pages, the person and their preferences. */

import * as v from 'valibot'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { RailItem, ShellComponent, ShellView } from '../../protocol/admin-view.ts'
import type { Actor } from '../../server/actor.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import { formatterFor } from '../../table/format.ts'
import type { Addresses } from '../addresses.ts'
import { preferenceSchema, readPreferences } from './preferences.ts'

export type ShellServices = {
  catalog(): Catalog
  readonly metadata: Metadata
  readonly database: { readonly name: string; readonly kind: string }
  readonly addresses: Addresses
  /** Addresses that the shell links to. */
  readonly links: ShellView['links']
  /** The pages that the sidebar lists for an actor. */
  railPages(actor: Actor): Promise<readonly RailItem[]>
}

/** `current` is the name of the entry that the page belongs to, such as a table. */
export type ShellParams = { readonly current: string | null }

export const createShellComponent = ({
  catalog,
  metadata,
  database,
  addresses,
  links,
  railPages,
}: ShellServices): Component<ShellParams, TypesOf<ShellComponent>> =>
  defineComponent({
    name: 'shell',
    params: v.object({ current: v.nullable(v.string()) }),
    state: {},
    authorize: () => true,
    mount: () => ({}),
    actions: {
      prefer: {
        kind: 'write',
        args: preferenceSchema,
        run: ({ actor }, name, value) => metadata.preferences.set(actor.id, name, value),
      },
    },
    async load({ actor }) {
      const { recent } = await readPreferences(metadata.preferences, actor.id)
      const tables = catalog().readable(actor)
      return { data: { actor, recent, tables, pages: await railPages(actor) } }
    },
    view({ data: { actor, recent, tables, pages }, params, locale, language }): ShellView {
      const item = (definition: TableDefinition) =>
        railItem(definition, addresses, { locale, language })
      const opened = recent.flatMap((name) => tables.find(({ table }) => table.name === name) ?? [])
      const [stored, derived] = [tables.filter(isStored), tables.filter((one) => !isStored(one))]
      return {
        database,
        user: {
          name: actor.name,
          email: actor.email,
          role: messagesFor(language).roles[actor.role],
        },
        groups: [
          { kind: 'recent', items: opened.map(item) },
          ...(pages.length > 0 ? [{ kind: 'pages' as const, items: [...pages] }] : []),
          { kind: 'tables', items: byLabel(stored, locale).map(item) },
          { kind: 'views', items: byLabel(derived, locale).map(item) },
        ],
        current: params.current,
        links,
      }
    },
  })

const isStored = ({ table }: TableDefinition) => table.kind === 'table'

const byLabel = (tables: readonly TableDefinition[], locale: string) =>
  tables.toSorted((a, b) => a.label.localeCompare(b.label, locale))

/** Shows the row estimate, shortened and marked as an estimate: it is never a count. */
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
