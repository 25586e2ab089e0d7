/** Who acts in the contract suites, and what they may do. */

import type { Actor } from '../../src/server/actor.ts'
import { Access, type Grant } from '../../src/table/source/access.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { Table } from '../../src/table/source/schema.ts'

export const actor: Actor = { id: 'a1', name: 'Ada', email: 'ada@example.com', role: 'admin' }

/** All rights on a table, except as given; `others` is the actor's access to other tables. */
export function fullAccess(
  table: Table,
  less: Partial<Grant> = {},
  others: readonly Access[] | ((table: string) => Access) = [],
): Access {
  const names = table.columns.map(({ name }) => name)
  const grant: Grant = {
    actions: ['read', 'create', 'update', 'delete'],
    rows: everything,
    readable: names,
    writable: names,
    ...less,
  }
  const related =
    typeof others === 'function'
      ? others
      : (name: string) => others.find((other) => other.table.name === name)
  return Access.grant({ version: '1', grant: () => grant }, actor, table, { related })!
}
