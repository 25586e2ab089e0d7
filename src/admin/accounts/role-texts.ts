/** What roles are called, and what each may do in a sentence: asked of the policy that decides. */

import { messagesFor } from '../../messages/messages.ts'
import type { RoleView } from '../../protocol/people-view.ts'
import { type Actor, type Role, ROLES } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import { own } from '../../table/definition/define-table.ts'
import { humanize } from '../../table/definition/humanize.ts'
import { formatterFor } from '../../table/format.ts'
import { isKnownRole } from '../../table/roles/role-policy.ts'
import type { Roles } from '../../table/roles/role.ts'

/** The names of the roles that a person can be given, the most powerful first, then those of one's own. */
export const roleNames = (roles: Roles): Role[] => [...ROLES, ...Object.keys(roles)]

/** What a role is called. One that is not defined keeps its name. */
export function roleLabel(
  role: Role,
  roles: Roles,
  { language }: Pick<Reader, 'language'>,
): string {
  const defined = own(roles, role)
  if (defined) return defined.label ?? humanize(role)
  return own(messagesFor(language).roles, role) ?? role
}

/** For an administrator, in whose place each role is asked about. */
export type Describing = {
  readonly catalog: Catalog
  readonly actor: Actor
  readonly reader: Reader
}

/** The roles that a person can be given. */
export const rolesOf = (describing: Describing): RoleView[] =>
  roleNames(describing.catalog.roles).map((role) => describeRole(role, describing))

export function describeRole(role: Role, { catalog, actor, reader }: Describing): RoleView {
  const { schema, policy, roles } = catalog
  const { directory } = messagesFor(reader.language)
  const grants = schema.tables.map((table) => policy.grant({ ...actor, role }, table))
  const read = grants.filter(({ actions }) => actions.includes('read')).length
  const changed = grants.filter(({ actions }) => actions.some((one) => one !== 'read')).length
  const { number } = formatterFor(reader)
  const count = (tables: number) => ({ count: tables, text: number(tables) })
  const may = directory.may({
    isAdministrator: role === 'admin',
    all: count(grants.length),
    read: count(read),
    changed: count(changed),
  })
  const help = own(roles, role)?.help
  return {
    name: role,
    label: roleLabel(role, roles, reader),
    text:
      read === 0 && !isKnownRole(role, roles)
        ? directory.notDefined
        : help === undefined
          ? may
          : directory.helpAndMay(help, may),
  }
}
