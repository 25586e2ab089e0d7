/** The page of what each role may do, for administrators: asked of the code that decides. */

import { messagesFor } from '../../messages/messages.ts'
import type { RolesView, RoleTableView } from '../../protocol/roles-view.ts'
import type { Actor, Role } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import { type ChangeAction, grantsAllRows } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import { own } from '../../table/definition/define-table.ts'
import { dependsOnPerson } from '../../table/roles/role-policy.ts'
import { templates } from '../../table/templates.ts'
import { conditionText } from '../accounts/condition-text.ts'
import { describeRole, roleLabel, roleNames } from '../accounts/role-texts.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { canLookAs } from '../sign-in/looking.ts'
import { namedColumns, readColumns } from './columns-text.ts'
import { page } from './page.ts'

export type RolesPageServices = {
  catalog(): Catalog
  readonly addresses: Addresses
  /** Whether there is a page of people, above this one. */
  readonly hasPeople: boolean
}

export const createRolesPage = ({ catalog, addresses, hasPeople }: RolesPageServices) =>
  page(PATHS.roles, {
    name: 'roles',
    authorize: ({ actor }) => actor.role === 'admin',
    data: ({ actor, query, ...reader }) => ({
      view: viewOf(catalog(), addresses, { actor, query, reader }),
      words: templates(messagesFor(reader.language).rolesPage.words),
    }),
    title: ({ language }) => messagesFor(language).rolesPage.words.title,
    breadcrumbs: ({ language }) => [
      ...(hasPeople
        ? [{ label: messagesFor(language).directory.title, href: addresses.people }]
        : []),
      { label: messagesFor(language).rolesPage.words.title },
    ],
    current: () => (hasPeople ? 'people' : 'roles'),
  })

type Asked = { readonly actor: Actor; readonly query: URLSearchParams; readonly reader: Reader }

function viewOf(
  catalog: Catalog,
  { roles: path, seeAs }: Addresses,
  { actor, query, reader }: Asked,
): RolesView {
  const names = roleNames(catalog.roles)
  const chosen = names.find((name) => name === query.get('role')) ?? firstOf(names, catalog)
  const search = query.get('search') ?? ''
  const wanted = search.trim().toLowerCase()
  const found = [...catalog.definitions.values()]
    .filter(({ table, label }) =>
      [table.name, label].some((text) => text.toLowerCase().includes(wanted)),
    )
    .toSorted((a, b) => a.label.localeCompare(b.label, reader.locale))
  const as: Actor = { ...actor, role: chosen }
  const opened = found.map((definition) => ({
    definition,
    open: catalog.find(as, definition.table.name),
  }))
  const seen = opened.flatMap(({ open }) => open ?? [])
  const { rolesPage } = messagesFor(reader.language)
  const defined = own(catalog.roles, chosen)
  const takesChanges = seen.every((open) => open.takesChanges)
  return {
    tabs: names.map((name) => ({
      label: roleLabel(name, catalog.roles, reader),
      href: hrefOf(path, name, search),
      isCurrent: name === chosen,
    })),
    role: describeRole(chosen, { catalog, actor, reader }),
    notes: [
      ...(takesChanges ? [] : [rolesPage.readOnly]),
      ...(defined && dependsOnPerson(defined) ? [rolesPage.forYou] : []),
    ],
    seeAs: canLookAs(chosen, catalog.roles) ? seeAs : null,
    search,
    tables: seen.map((open) => tableView(open, catalog, reader)),
    unseen: opened.flatMap(({ definition, open }) => (open ? [] : definition.label)),
  }
}

/** Roles of one’s own are what somebody comes here for. */
const firstOf = (names: readonly Role[], { roles }: Catalog): Role =>
  Object.keys(roles)[0] ?? names[0] ?? ''

function hrefOf(path: string, role: Role, search: string): string {
  const query = new URLSearchParams({ role, ...(search !== '' && { search }) })
  return `${path}?${query.toString()}`
}

function tableView(open: OpenTable, catalog: Catalog, reader: Reader): RoleTableView {
  const { access, definition } = open
  const { rolesPage } = messagesFor(reader.language)
  const { name } = access.table
  const columns = access.table.columns.map((column) => column.name)
  // Those that the definition hides from everybody are no matter of roles.
  const whole = catalog.definitions.get(name)
  const labelOf = (column: string) => whole?.columns.get(column)?.label ?? column
  const shared = columns.filter((column) => whole?.columns.get(column)?.hidden !== true)
  const written = (action: 'create' | 'update'): string | null => {
    if (!access.may(action)) return null
    const given = shared.filter((column) => access.canWrite(column, action))
    const read = shared.filter((column) => access.canShow(column) && isWritable(column))
    const isAll = read.every((column) => given.includes(column))
    return given.length === 0
      ? null
      : isAll
        ? rolesPage.all
        : namedColumns(given.map(labelOf), reader)
  }
  const generated = new Set(
    access.table.columns.flatMap((column) => (column.generated ? column.name : [])),
  )
  const isWritable = (column: string) => !generated.has(column)
  const textOf = (condition: Predicate): string =>
    conditionText(condition, name, { definitions: catalog.definitions, reader })
  const ofRows = (action: ChangeAction, what: string | null): string | null => {
    const condition = access.conditionOf(action)
    return what !== null && condition ? rolesPage.ofRows(what, textOf(condition)) : what
  }
  return {
    ...{ name, label: definition.label },
    rows: grantsAllRows(access.grant)
      ? rolesPage.allRows
      : rolesPage.rowsWhere(textOf(access.grant.rows)),
    columns: readColumns(
      shared.map((column) => ({ label: labelOf(column), isShown: access.canShow(column) })),
      reader,
    ),
    create: written('create'),
    change: ofRows('update', written('update')),
    delete: ofRows('delete', access.may('delete') ? rolesPage.yes : null),
  }
}
