/** An open SQLite file: the connection of this thread, and what is known of the tables. */

import { statSync, type Stats } from 'node:fs'
import { Connection } from './connection.ts'
import { unavailable } from '../failure.ts'
import { toAppError } from './failure.ts'
import { introspect } from './introspect.ts'
import { Plans } from './plan.ts'
import type { SqliteCatalogue } from './tables.ts'

/** How long a look at the file and its schema is trusted, ms. */
const TRUSTED_MS = 250
/** This thread must not wait for locks: workers do. */
const IN_PLACE_BUSY_MS = 20
const OPENING_BUSY_MS = 5000

type Opened = {
  readonly connection: Connection
  readonly inode: string
  readonly schemaVersion: number
  readonly catalogue: SqliteCatalogue
  readonly plans: Plans
}

export class SqliteFile {
  readonly path: string
  readonly #name: string
  readonly #now: () => number
  readonly #isWritable: boolean
  readonly #onReplaced: () => void
  #opened: Opened | undefined
  #checkedAt = -Infinity
  #openings = 0

  constructor(
    path: string,
    options: {
      readonly name: string
      readonly now: () => number
      /** Whether the file may be prepared for writing. */
      readonly isWritable: boolean
      /** Another file has taken this one's place: connections to the old one are of no use. */
      readonly onReplaced: () => void
    },
  ) {
    this.path = path
    this.#name = options.name
    this.#now = options.now
    this.#isWritable = options.isWritable
    this.#onReplaced = options.onReplaced
  }

  get connection(): Connection {
    return this.#open().connection
  }

  get catalogue(): SqliteCatalogue {
    return this.#open().catalogue
  }

  get plans(): Plans {
    return this.#open().plans
  }

  /** Notices, now and then, that the file was replaced or its tables changed. */
  check(): void {
    if (this.#now() - this.#checkedAt >= TRUSTED_MS) this.recheck()
  }

  /** Notices at once. Throws `DATABASE_UNAVAILABLE` where there is no usable file. */
  recheck(): void {
    const inode = inodeOf(this.path)
    if (this.#opened && this.#opened.inode !== inode) {
      this.close()
      this.#onReplaced()
    }
    this.#attempt(() => {
      const opened = this.#opened
      if (opened && opened.schemaVersion !== schemaVersion(opened.connection))
        this.#opened = this.#describe(opened.connection, inode)
      else this.#open()
    })
    this.#checkedAt = this.#now()
  }

  /** Changes whenever another connection, such as the writer's, has committed. */
  dataVersion(): string {
    const version = this.#attempt(() => this.connection.all('pragma data_version')[0]?.[0])
    // Each connection counts for itself, so that a file in another's place may show its number.
    return `${this.#openings}.${String(version)}`
  }

  /** The next question looks at the file and its tables first. */
  distrust(): void {
    this.#checkedAt = -Infinity
  }

  close(): void {
    this.#opened?.connection.close()
    this.#opened = undefined
    this.distrust()
  }

  #open(): Opened {
    this.#opened ??= this.#attempt(() => {
      const inode = inodeOf(this.path)
      if (this.#isWritable) useWriteAheadLog(this.path)
      const connection = new Connection(this.path, { readOnly: true, busyMs: OPENING_BUSY_MS })
      try {
        const opened = this.#describe(connection, inode)
        connection.setBusyTimeout(IN_PLACE_BUSY_MS)
        this.#openings++
        return opened
      } catch (error) {
        connection.close()
        throw error
      }
    })
    return this.#opened
  }

  #describe(connection: Connection, inode: string): Opened {
    const catalogue = introspect(connection, this.#name)
    return {
      connection,
      inode,
      schemaVersion: schemaVersion(connection),
      catalogue,
      plans: new Plans(connection, (table) => catalogue.tables.get(table)?.integerKey ?? null),
    }
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw toAppError(error, this.path)
    }
  }
}

/** Readers then go on while the writer commits. It also shows at once whether the file is writable. */
const useWriteAheadLog = (path: string): void =>
  new Connection(path, { readOnly: false, busyMs: OPENING_BUSY_MS }).close()

const schemaVersion = (connection: Connection): number =>
  Number(connection.all('pragma schema_version')[0]?.[0])

/** Tells a file from another one of the same name. */
function inodeOf(path: string): string {
  const found = statOf(path)
  if (!found) throw unavailable(({ database }) => database.noFile(path))
  if (found.isDirectory()) throw unavailable(({ database }) => database.folder(path))
  return `${found.dev}:${found.ino}`
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw unavailable(({ database }) => database.unreachable(path), error)
  }
}
