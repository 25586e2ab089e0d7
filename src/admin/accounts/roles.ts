/** What each role may do: the default policy. */

import type { Role } from '../../server/actor.ts'
import type { Grant, Policy, RowAction } from '../../table/source/access.ts'
import { everything } from '../../table/source/predicate.ts'
import type { Column, Table } from '../../table/source/schema.ts'

const CHANGES: readonly RowAction[] = ['read', 'create', 'update', 'delete']

const ROLE_ACTIONS: { readonly [role in Role]: readonly RowAction[] } = {
  admin: CHANGES,
  editor: CHANGES,
  viewer: ['read'],
}

/**
 * The default policy: every table, every row, every column that is not hidden; changes only where a
 * key identifies the row.
 *
 * @example
 * const policy: Policy = {
 *   version: 'shop-1',
 *   grant(actor, table) {
 *     const grant = rolePolicy.grant(actor, table)
 *     const isHidden = table.name === 'salaries' && actor.role !== 'admin'
 *     return isHidden ? { ...grant, actions: [], rows: nothing } : grant
 *   },
 * }
 */
export const rolePolicy: Policy = {
  version: 'roles-1',
  grant({ role }, table): Grant {
    let grants = grantCache.get(table)
    if (!grants)
      grantCache.set(
        table,
        (grants = {
          admin: grantTo('admin', table),
          editor: grantTo('editor', table),
          viewer: grantTo('viewer', table),
        }),
      )
    return grants[role]
  },
}

/** A role’s grant on a table never changes, and each request reads it several times. */
const grantCache = new WeakMap<Table, Readonly<Record<Role, Grant>>>()

function grantTo(role: Role, table: Table): Grant {
  const actions = isChangeable(table) ? ROLE_ACTIONS[role] : (['read'] as const)
  const { columns } = table
  const writable = actions.includes('update') ? columns.filter(isWritable) : []
  return { actions, rows: everything, readable: names(columns), writable: names(writable) }
}

const isChangeable = ({ kind, key }: Table) => kind === 'table' && key.length > 0

const isWritable = ({ generated }: Column) => !generated

const names = (columns: readonly Column[]) => columns.map(({ name }) => name)
