/** The driver for a MySQL or MariaDB database. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Recorder, Recording } from '../../table/source/recorder.ts'
import type { Count, Run } from '../../table/source/row-source.ts'
import type { WriteRights } from '../../table/source/writing.ts'
import type { WrittenTables } from '../../table/source/write-log.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { tableOf } from '../query/scope.ts'
import type { CatalogueReader } from '../source/catalogue-cache.ts'
import type { Driver, ReadClass } from '../source/driver.ts'
import { DataVersion, isRecorded } from './data-version.ts'
import { MysqlQueryRunner } from './query-runner.ts'
import { withoutUndo } from './failure.ts'
import type { Flavour } from './flavour.ts'
import { rights } from './catalogue-rows.ts'
import { introspect } from './introspect.ts'
import { estimatedCount } from './plan.ts'
import { readFingerprint } from './fingerprint.ts'
import type { MysqlCatalogue } from './tables.ts'
import { type MysqlWriter, writeUnit } from './write.ts'

export type DatabaseOptions = MysqlWriter & {
  /** Its address, with the password. */
  readonly url: string
  readonly readOnly: boolean
  /** Default time limit of a question, ms. */
  readonly timeoutMs: number
  readonly now: () => number
}

/** How old a check of the tables may be, ms. */
const MAX_AGE_MS = 400
/** Time limit of a query to `information_schema`, ms. */
const RUN = { timeoutMs: 30_000 }

export class MysqlDatabase implements Driver<MysqlCatalogue> {
  readonly name: string
  readonly noticedBy = 'delayed'
  readonly address: string
  readonly own: Driver['own']
  readonly write: Driver<MysqlCatalogue>['write']
  readonly catalogue: CatalogueReader<MysqlCatalogue> = {
    maxAgeMs: { describe: MAX_AGE_MS, use: Infinity },
    load: () => this.#load(),
    fingerprint: () => this.#fingerprint(),
  }
  readonly recording: Recording = {
    by: 'server',
    use: (recorder) => void (this.#recorder = recorder),
  }
  readonly #options: DatabaseOptions
  #recorder: Recorder | undefined
  readonly #version: DataVersion
  /** The server's flavour when the catalogue was last read; the server may have been upgraded since. */
  #flavour: Flavour | undefined

  constructor(options: DatabaseOptions) {
    const { server, url, now, readOnly } = options
    this.#options = options
    this.#recorder = options.recorder
    this.#version = new DataVersion(server, now)
    this.name = server.info.database
    // Its version never looks at them.
    this.own = { address: url, leaveOut: () => undefined }
    this.address = `${server.info.server}/${this.name}`
    this.write = readOnly ? undefined : (catalogue, unit, run) => this.#write(catalogue, unit, run)
  }

  runner(catalogue: MysqlCatalogue, work: ReadClass): MysqlQueryRunner {
    const { server, timeoutMs } = this.#options
    return new MysqlQueryRunner({ server, catalogue, work, timeoutMs })
  }

  isExact(version: string): boolean {
    return isRecorded(version)
  }

  version({ flavour, tables }: MysqlCatalogue): Promise<string> {
    return this.#version.read(flavour, tables.size)
  }

  watchOthers(): (catalogue: MysqlCatalogue) => Promise<WrittenTables> {
    const others = this.#version.watch()
    return ({ flavour, tables }) => others(flavour, tables.size)
  }

  labelsVersion(): string {
    return this.#version.recent()
  }

  estimate(
    catalogue: MysqlCatalogue,
    access: Access,
    where: Predicate,
  ): Promise<Count | undefined> {
    return estimatedCount(this.#options.server, catalogue, access, where)
  }

  /** Roles may grant deleting, too, which no view of the server tells. */
  async rights(): Promise<WriteRights> {
    const [row = []] = await this.#options.server.ask('rows', rights(this.name), RUN)
    const [role, ...counts] = row
    const [tables = 0, insert = 0, update = 0] = counts.map(Number)
    return { role: String(role), tables, insert, update, delete: null }
  }

  close(): Promise<void> {
    return this.#options.server.close()
  }

  async #write(catalogue: MysqlCatalogue, unit: Unit, { person = '' }: Run): Promise<UnitResult> {
    for (const { access } of unit.parts) {
      const { table, isTransactional, engine } = tableOf(catalogue, access)
      if (!isTransactional) throw withoutUndo(table.name, engine ?? '')
    }
    const { server } = this.#options
    return writeUnit({ server, recorder: this.#recorder }, catalogue, unit, person)
  }

  async #load(): Promise<MysqlCatalogue> {
    const { server, now } = this.#options
    return introspect({
      database: this.name,
      flavour: (this.#flavour = await this.#askFlavour()),
      ask: (fragment) => server.ask('rows', fragment, RUN),
      look: (fragment, ms) => server.look(fragment, ms),
      now,
    })
  }

  async #fingerprint(): Promise<string> {
    const { server } = this.#options
    const flavour = this.#flavour ?? (await this.#askFlavour())
    return readFingerprint((fragment) => server.ask('rows', fragment, RUN), this.name, flavour)
  }

  #askFlavour(): Promise<Flavour> {
    return this.#options.server.use('rows', async ({ flavour }) => flavour, RUN)
  }
}
