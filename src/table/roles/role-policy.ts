/** The policy with roles of one's own: each gets what its definition and the policy both give. */

import { type Actor, ROLES } from '../../server/actor.ts'
import { digestOf } from '../../server/component/digest.ts'
import { own } from '../definition/define-table.ts'
import { type Grant, grantsAllRows, type Policy, type RowAction } from '../source/access.ts'
import { everything, nothing, type Predicate } from '../source/predicate.ts'
import { encodePredicate } from '../source/predicate-codec.ts'
import type { Column, Table } from '../source/schema.ts'
import type { RoleOptions, Roles, RoleTable } from './role.ts'
import { rowsFor } from './row-condition.ts'

export type RolePolicyOptions = {
  readonly tables: readonly Table[]
  /** Told of mistakes that functions in conditions make, in a sentence. */
  warn(sentence: string): void
}

/**
 * Asks `policy` about everybody. Of those whose role is one of `roles` it is told so (`Actor.isDefined`), and
 * what it grants is narrowed to what their role names.
 */
export function policyWithRoles(
  policy: Policy,
  roles: Roles,
  { tables, warn }: RolePolicyOptions,
): Policy {
  const names = Object.keys(roles)
  if (names.length === 0) return policy
  const columns = new Map(
    tables.map((table) => [table.name, new Map(table.columns.map((one) => [one.name, one]))]),
  )
  const columnOf = (table: string, column: string) => columns.get(table)?.get(column)
  const narrowings = new Map(
    names.map((name) => [name, narrowing(name, roles[name]?.tables ?? {}, { columnOf, warn })]),
  )
  const marked = new WeakMap<Actor, Actor>()
  /** Whom the policy is told of: of somebody with one of these roles, that it is defined. */
  const told = (actor: Actor): Actor => {
    if (!narrowings.has(actor.role)) return actor
    const known = marked.get(actor) ?? { ...actor, isDefined: true }
    marked.set(actor, known)
    return known
  }
  return {
    version: `${policy.version} ${versionOf(roles)}`,
    grant(actor, table) {
      const narrow = narrowings.get(actor.role)
      const granted = policy.grant(told(actor), table)
      return narrow ? narrow(granted, actor, table) : granted
    },
    tellsName: (actor, other) => policy.tellsName?.(told(actor), other) ?? true,
  }
}

/** Whether somebody can be given the role: one that is there first, or one of `roles`. */
export const isKnownRole = (role: string, roles: Roles): boolean =>
  ROLES.some((one) => one === role) || Object.hasOwn(roles, role)

/** Whether the rows of a role differ from person to person. */
export const dependsOnPerson = ({ tables }: RoleOptions): boolean =>
  Object.values(tables).some((table) => hasFunctions(table?.rows))

/** Another one for every change of the roles; of functions, their text counts. */
const versionOf = (roles: Roles): string =>
  digestOf(
    JSON.stringify(roles, (_name, value: unknown) => {
      if (typeof value === 'function') return String(value)
      if (typeof value === 'bigint') return `${value}n`
      return value instanceof Uint8Array ? [...value] : value
    }),
  )

type Narrowing = (grant: Grant, actor: Actor, table: Table) => Grant

type Known = Pick<RolePolicyOptions, 'warn'> & {
  columnOf(table: string, column: string): Column | undefined
}

const NO_GRANT: Grant = { actions: [], rows: nothing, readable: [], writable: [] }

/** Conditions for which grants are kept, by each grant of the policy: there are as many as people, at most. */
const CONDITIONS_MAX = 1000

/** Gives the very same grant for the same one of the policy and the same rows. */
function narrowing(
  role: string,
  tables: RoleOptions['tables'],
  { columnOf, warn }: Known,
): Narrowing {
  const made = new WeakMap<Grant, Map<string, Grant>>()
  const warnOf = (sentence: string) => warn(`roles.${role}: ${sentence}`)
  const fixed = new Set(
    Object.entries(tables).flatMap(([name, table]) => (hasFunctions(table?.rows) ? [] : name)),
  )
  return (grant, actor, table) => {
    const granted = own(tables, table.name)
    if (!granted) return NO_GRANT
    const { rows } = granted
    const find = () => rows && rowsFor(rows, table.name, { actor, columnOf, warn: warnOf })
    const known = made.get(grant) ?? new Map<string, Grant>()
    made.set(grant, known)
    // A policy may give one grant for several tables.
    if (fixed.has(table.name))
      return kept(known, table.name, () => narrowed(grant, granted, find(), table))
    const condition = find()
    const key = JSON.stringify([table.name, condition ? encodePredicate(condition) : null])
    return kept(known, key, () => narrowed(grant, granted, condition, table))
  }
}

function kept(grants: Map<string, Grant>, key: string, make: () => Grant): Grant {
  const grant = grants.get(key) ?? make()
  grants.delete(key)
  grants.set(key, grant)
  const [oldest] = grants.keys()
  if (grants.size > CONDITIONS_MAX && oldest !== undefined) grants.delete(oldest)
  return grant
}

/** Whether a condition holds functions, so that it is another one for each person. */
function hasFunctions(condition: unknown): boolean {
  if (typeof condition === 'function') return true
  if (typeof condition !== 'object' || condition === null) return false
  return Object.values(condition).some(hasFunctions)
}

function narrowed(
  grant: Grant,
  role: RoleTable,
  rows: Predicate | undefined,
  { columns, key }: Table,
): Grant {
  const all = columns.map(({ name }) => name)
  const read = new Set(role.read === true ? all : [...role.read, ...key])
  const readable = grant.readable.filter((name) => read.has(name))
  const isRead = (name: string) => readable.includes(name)
  const given = (names: readonly string[], asked: boolean | readonly string[] | undefined) =>
    names.filter((name) => asked === true || (Array.isArray(asked) && asked.includes(name)))
  const { creatable = grant.writable, masked } = grant
  const wanted: Readonly<Record<RowAction, unknown>> = {
    ...{ read: true, create: role.create, update: role.update, delete: role.delete },
  }
  return {
    ...grant,
    actions: grant.actions.filter((action) => isAsked(wanted[action])),
    rows: bothOf(grant, rows),
    readable,
    writable: given(grant.writable.filter(isRead), role.update),
    creatable: given(creatable.filter(isRead), role.create),
    ...(masked && { masked: masked.filter(({ column }) => read.has(column)) }),
  }
}

const isAsked = (asked: unknown): boolean => asked !== undefined && asked !== false

function bothOf(grant: Grant, rows: Predicate = everything): Predicate {
  if (grantsAllRows(grant)) return rows
  return { op: 'and', all: [grant.rows, rows] }
}
