/** The way to a table's pages, for the breadcrumbs: the database before it comes from the sender. */

import type { Crumb } from '../../protocol/page.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'

/** The table's schema, where that is not the default one, and its listing at `href`. */
export const tableBreadcrumbs = ({ table, label }: TableDefinition, href: string): Crumb[] => [
  // A schema has no page of its own.
  ...(table.schema === undefined ? [] : [{ label: table.schema }]),
  { label, href },
]
