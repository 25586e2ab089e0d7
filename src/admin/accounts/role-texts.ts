/** What each role may do, in a sentence: asked of the policy that decides. */

import { messagesFor } from '../../messages/messages.ts'
import type { RoleView } from '../../protocol/people-view.ts'
import { type Role, ROLES } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import { own } from '../../table/definition/define-table.ts'
import { formatterFor } from '../../table/format.ts'

/** The roles that a person can be given, the most powerful first. */
export const rolesOf = (catalog: Catalog, reader: Reader): RoleView[] =>
  ROLES.map((role) => describeRole(role, catalog, reader))

export function describeRole(role: Role, { schema, policy }: Catalog, reader: Reader): RoleView {
  const { roles, directory } = messagesFor(reader.language)
  const grants = schema.tables.map((table) => policy.grant({ ...NOBODY, role }, table))
  const read = grants.filter(({ actions }) => actions.includes('read')).length
  const changed = grants.filter(({ actions }) => actions.some((one) => one !== 'read')).length
  const { number } = formatterFor(reader)
  const count = (tables: number) => ({ count: tables, text: number(tables) })
  return {
    name: role,
    label: own(roles, role) ?? role,
    text: directory.may({
      isAdministrator: role === 'admin',
      all: count(grants.length),
      read: count(read),
      changed: count(changed),
    }),
  }
}

/** Whoever has the role. */
const NOBODY = { id: '', name: '', email: '' }
