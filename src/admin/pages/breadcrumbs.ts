/** The breadcrumbs of a table's pages; the page sender puts the database before them. */

import type { Crumb } from '../../protocol/page.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'

/** The table's schema, unless it is the default one, and its listing at `href`. */
export const tableBreadcrumbs = ({ table, label }: TableDefinition, href: string): Crumb[] => [
  // A schema has no page of its own.
  ...(table.schema === undefined ? [] : [{ label: table.schema }]),
  { label, href },
]
