/** What each role may do: the default policy. */

import type { ROLES } from '../../server/actor.ts'
import { own } from '../../table/definition/define-table.ts'
import type { Grant, Policy, RowAction } from '../../table/source/access.ts'
import { everything, nothing } from '../../table/source/predicate.ts'
import { type Column, type Table, writesTaken } from '../../table/source/schema.ts'

const CHANGES: readonly RowAction[] = ['read', 'create', 'update', 'delete']

type KnownRole = (typeof ROLES)[number]

const ROLE_ACTIONS: { readonly [role in KnownRole]: readonly RowAction[] } = {
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
  grant({ role, isDefined }, table): Grant {
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
    return own(grants, role) ?? (isDefined ? grants.editor : NO_GRANT)
  },
}

/** What a policy says of `Policy.reads`; the default one reads nothing. */
export const policyReads = ({ grant, reads }: Policy): Policy['reads'] =>
  reads ?? (grant === rolePolicy.grant ? [] : undefined)

/** A role’s grant on a table never changes, and each request reads it several times. */
const grantCache = new WeakMap<Table, Readonly<Record<KnownRole, Grant>>>()

/** What a role gets that is not known here. */
const NO_GRANT: Grant = { actions: [], rows: nothing, readable: [], writable: [] }

function grantTo(role: KnownRole, table: Table): Grant {
  const taken: readonly RowAction[] = writesTaken(table)
  const actions = ROLE_ACTIONS[role].filter((one) => one === 'read' || taken.includes(one))
  const { columns } = table
  const isWritten = actions.includes('create') || actions.includes('update')
  const writable = isWritten ? columns.filter(isWritable) : []
  return { actions, rows: everything, readable: names(columns), writable: names(writable) }
}

const isWritable = ({ generated }: Column) => !generated

const names = (columns: readonly Column[]) => columns.map(({ name }) => name)
