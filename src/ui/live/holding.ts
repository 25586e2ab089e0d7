/** What decides, besides the changes of others, whether a refreshed list waits. */

import type { PinnedRow } from './held-rows.ts'

/** Rows whose cells are being edited: until the person leaves the table, they neither move nor go. */
export const pinnedRows: Map<string, PinnedRow> = new Map()

let isOwn = false

/** Whether what a refresh brings is the person's own doing, so that it is shown at once. */
export const isOwnChange = (): boolean => isOwn

/** Shows at once what `refresh` brings. */
export async function asOwnChange<Result>(refresh: () => Promise<Result>): Promise<Result> {
  isOwn = true
  return refresh().finally(() => (isOwn = false))
}
