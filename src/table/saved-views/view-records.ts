/** Where saved views are kept. */

import type { PersonRef } from '../source/ledger-entry.ts'

export type StoredView = {
  readonly id: string
  readonly table: string
  readonly name: string
  /** Whose it is; `null` for everyone's. */
  readonly ownerId: string | null
  /** Who saved it first. */
  readonly by: PersonRef
  /** Parameters of the list's address. */
  readonly query: string
  readonly isDefault: boolean
  readonly isTab: boolean
  /** Place among those of its owner. */
  readonly position: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

export type ViewRecords = {
  /** A person's own views of a table and everyone's, by place. */
  of(table: string, personId: string): Promise<readonly StoredView[]>
  insert(view: StoredView): Promise<void>
  update(id: string, change: Partial<Omit<StoredView, 'id' | 'table' | 'by'>>): Promise<void>
  remove(id: string): Promise<void>
}

export type ViewStore = Pick<ViewRecords, 'of'> & {
  /** Runs `work` in a serializable transaction, and again if another one was in its way. */
  change<T>(work: (records: ViewRecords) => Promise<T>): Promise<T>
}
