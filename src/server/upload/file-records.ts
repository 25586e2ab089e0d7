/** What is known of files that are kept for columns, so that those are swept that nothing refers to any more. */

/** The column whose rows hold the key of a file. */
export type FileHolder = { readonly table: string; readonly column: string }

export type HeldFile = FileHolder & {
  readonly key: string
  /** When it is looked at next, ms since 1970. */
  readonly dueAt: number
}

export type FileRecords = {
  /** Adds a file; if it is there, its time changes. */
  hold(key: string, holder: FileHolder, dueAt: number): Promise<void>
  /** Files that are due, those first that are due longest. */
  due(before: number, limit: number): Promise<readonly HeldFile[]>
  /** Puts off when a file is looked at, unless that has changed meanwhile. */
  putOff(file: HeldFile, dueAt: number): Promise<void>
  /** Forgets a file, unless it has been held anew meanwhile. Returns whether this call has. */
  forget(file: HeldFile): Promise<boolean>
}
