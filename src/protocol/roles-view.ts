/** What the page of roles shows: for one role, what it may do with each table. */

import type { RoleView } from './people-view.ts'

export type RoleTableView = {
  name: string
  label: string
  /** Which rows it sees, such as “All rows” or “Rows where Region is south”. */
  rows: string
  /** Which columns it does not read, or which alone it does, in a few words; `null` where it reads all. */
  columns: string | null
  /** What it may do, each in a few words; `null` if it may not. */
  create: string | null
  change: string | null
  delete: string | null
}

export type RolesView = {
  tabs: { label: string; href: string; isCurrent: boolean }[]
  role: RoleView
  /** What restricts all of it, such as that the database takes no changes now. */
  notes: string[]
  /** Where a form is posted to see the admin as the role does; `null` for one’s own. */
  seeAs: string | null
  search: string
  /** Found tables that it sees. */
  tables: RoleTableView[]
  /** Labels of found tables that it does not see. */
  unseen: string[]
}
