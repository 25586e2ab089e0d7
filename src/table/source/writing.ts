/** Whether a database may be changed: what it lets Tablewire write, and what an administrator allows. */

/** What the database lets Tablewire write, whatever a policy says. */
export type WriteRights = {
  /** The role or user of the database; `null` for a file. */
  readonly role: string | null
  /** How many tables there are, and in how many of them the role may do what. */
  readonly tables: number
  readonly insert: number
  readonly update: number
  /** `null` where the database does not tell. */
  readonly delete: number | null
}

/** Whether units of writing are accepted. A source refuses them until they are allowed. */
export interface Writing {
  /** Tells the database from all others: the path of its file, or its server and name. */
  readonly database: string
  isAllowed(): boolean
  /** Throws `TABLE_READ_ONLY` if the source was opened for reading only. */
  rights(): Promise<WriteRights>
  /**
   * Allows writing, or takes that back; units that are being written are finished. Throws
   * `TABLE_READ_ONLY`, with what is in the way, if nothing could be written.
   */
  allow(isAllowed: boolean): Promise<void>
}
