/** An open SQLite file: this thread's connection, and the detection of changes to the file. */

import { accessSync, constants, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { OwnWrites } from '../../table/source/own-tables.ts'
import { Connection } from './connection.ts'
import { unavailable } from '../failure.ts'
import { toAppError } from './failure.ts'
import { introspect } from './introspect.ts'
import { Plans } from './plan.ts'
import type { SqliteCatalogue } from './tables.ts'

/** The main thread must not wait for locks; workers may. */
const IN_PLACE_BUSY_MS = 20
const OPENING_BUSY_MS = 5000

type Opened = {
  readonly connection: Connection
  readonly inode: string
  /** Cached query plans, for the current tables. */
  plans: Plans
}

export class SqliteFile {
  readonly path: string
  readonly #name: string
  readonly #isWritable: boolean
  readonly #onReplaced: () => void
  #opened: Opened | undefined
  #openings = 0
  /** Tells the version without Tablewire's own writes, for the file of this opening. */
  #others: { readonly version: () => string; readonly opening: number } | undefined

  constructor(
    path: string,
    options: {
      readonly name: string
      /** Whether the file may be prepared for writing. */
      readonly isWritable: boolean
      /** Called when another file has replaced this one: connections to the old file are useless. */
      readonly onReplaced: () => void
    },
  ) {
    this.path = path
    this.#name = options.name
    this.#isWritable = options.isWritable
    this.#onReplaced = options.onReplaced
  }

  get connection(): Connection {
    return this.#open().connection
  }

  get plans(): Plans {
    return this.#open().plans
  }

  /**
   * Changes whenever the file is replaced or its tables change. Throws `DATABASE_UNAVAILABLE` if
   * there is no usable file.
   */
  fingerprint(): string {
    const inode = inodeOf(this.path)
    if (this.#opened && this.#opened.inode !== inode) {
      this.close()
      this.#onReplaced()
    }
    const version = this.#attempt(() => this.connection.all('pragma schema_version')[0]?.[0])
    return `${this.#openings}.${String(version)}`
  }

  /** Reads the current catalogue. */
  describe(): SqliteCatalogue {
    return this.#attempt(() => {
      const opened = this.#open()
      opened.plans = new Plans(opened.connection)
      return introspect(opened.connection, this.#name)
    })
  }

  /** Whether this process may write the file, and the log beside it. */
  canBeWritten(): boolean {
    try {
      accessSync(this.path, constants.W_OK)
      accessSync(dirname(this.path), constants.W_OK)
      return true
    } catch {
      return false
    }
  }

  /** With a log beside the file, readers do not wait for the writer. */
  prepareWriting(): void {
    this.#attempt(() => useWriteAheadLog(this.path))
  }

  /** Changes whenever another connection, such as the writer's, has committed. */
  dataVersion(): string {
    const { connection } = this
    const version = this.#attempt(() =>
      this.#others?.opening === this.#openings
        ? `${this.#others.version()}o`
        : connection.all('pragma data_version')[0]?.[0],
    )
    // `data_version` counts per connection, so a replacement file may have the same number.
    return `${this.#openings}.${String(version)}`
  }

  /** From now on, what Tablewire's own tables are written by does not change the version. */
  leaveOut({ server, version }: OwnWrites): void {
    if (server === this.path && version) this.#others = { version, opening: this.#openings }
  }

  close(): void {
    this.#opened?.connection.close()
    this.#opened = undefined
  }

  #open(): Opened {
    this.#opened ??= this.#attempt(() => {
      const inode = inodeOf(this.path)
      if (this.#isWritable) useWriteAheadLog(this.path)
      const connection = new Connection(this.path, { readOnly: true, busyMs: OPENING_BUSY_MS })
      try {
        // The first read fails if the file is no database; it may wait for a lock.
        connection.all('pragma schema_version')
        connection.setBusyTimeout(IN_PLACE_BUSY_MS)
        this.#openings++
        return { connection, inode, plans: new Plans(connection) }
      } catch (error) {
        connection.close()
        throw error
      }
    })
    return this.#opened
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw toAppError(error, this.path)
    }
  }
}

/** With WAL, readers do not wait for the writer. Fails at once if the file is not writable. */
const useWriteAheadLog = (path: string): void =>
  new Connection(path, { readOnly: false, busyMs: OPENING_BUSY_MS }).close()

/** Identifies the file, even if another gets the same name. */
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
