/** Tablewire's own tables in the data's database: where they may be, and what they leave unchanged. */

/** What Tablewire has written to its own tables, so that it does not count as a change of the data. */
export type OwnWrites = {
  /** The server, or the file, that holds them; contains no password. */
  readonly server: string
  /** Numbers of transactions that wrote nothing else, from this one on. PostgreSQL only. */
  transactions?(from: number): Promise<ReadonlySet<number>>
  /** Changes with every write of others to the file. SQLite only. */
  version?(): string
}

/** The database of a source, as a place for such tables. */
export type OwnPlace = {
  /** Its address, with the password: never shown. */
  readonly address: string
  /** Values for what that leaves out, such as `PGPASSWORD`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** From now on, the data version leaves these writes out, if they are on the same server. */
  leaveOut(writes: OwnWrites): void
}
