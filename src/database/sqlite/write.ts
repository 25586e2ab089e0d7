/** Sends units to the writer thread; those that arrive while it is busy share the next commit. */

import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { FairQueue } from '../../server/fair-queue.ts'
import type { Unit, UnitResult } from '../../table/source/write-unit.ts'
import { closing } from '../failure.ts'
import { tableOf } from '../query/scope.ts'
import { answerOf } from '../write/answer.ts'
import { planUnit, type UnitPlan } from '../write/plan.ts'
import { refusal } from './constraint.ts'
import { failureError } from './failure.ts'
import type { SqliteCatalogue } from './tables.ts'
import type { WorkerPool } from './worker-pool.ts'
import { sqliteWriteDialect } from './write-dialect.ts'
import { writeAnswerSchema, type WrittenUnit } from './write-messages.ts'

/** Most units in one commit. */
const GROUP = 64

type Waiting = {
  readonly unit: UnitPlan
  readonly resolve: (result: WrittenUnit) => void
  readonly reject: (error: unknown) => void
}

export class Writer {
  readonly #file: string
  readonly #thread: WorkerPool
  readonly #queue: number
  readonly #waiting = new FairQueue<Waiting>()
  #running: Promise<void> | undefined
  #isClosed = false

  /** `thread` is a pool of one; `queue` bounds the units of one person that may wait. */
  constructor(file: string, thread: WorkerPool, queue: number) {
    this.#file = file
    this.#thread = thread
    this.#queue = queue
  }

  /** Resolves once the unit is on disk or refused. Throws `AppError`s. */
  async write(catalogue: SqliteCatalogue, unit: Unit, person: string): Promise<UnitResult> {
    const plan = planUnit({ catalogue, dialect: sqliteWriteDialect }, unit)
    const written = await this.#enqueue(plan, person)
    if ('isForbidden' in written) throw new AppError('FORBIDDEN')
    if ('failure' in written) throw failureError(written.failure, this.#file)
    return answerOf(written.outcome, unit, (failure, { access, values }) =>
      refusal(failure, tableOf(catalogue, access), access, values),
    )
  }

  /** Settles once every transaction of the file that has begun before has ended. Throws `BUSY`. */
  async ended(): Promise<void> {
    const written = await this.#enqueue(
      { parts: [], entry: null, cascades: [], isTrial: false },
      '',
    )
    if ('failure' in written) throw failureError(written.failure, this.#file)
  }

  /** Changes whenever anybody else has committed. Throws as `write` does. */
  async othersVersion(): Promise<string> {
    if (this.#isClosed) throw closing()
    return v.parse(writeAnswerSchema, await this.#thread.ask({ units: [] })).others
  }

  /** Writes the waiting units, then ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await this.#thread.close()
  }

  /** Throws `BUSY` and `OUTCOME_UNKNOWN`. */
  #enqueue(unit: UnitPlan, person: string): Promise<WrittenUnit> {
    if (this.#isClosed) throw closing()
    if (this.#waiting.countOf(person) >= this.#queue) throw new AppError('BUSY', { retryAfter: 1 })
    const { promise, resolve, reject } = Promise.withResolvers<WrittenUnit>()
    this.#waiting.add(person, { unit, resolve, reject })
    this.#running ??= this.#run()
    return promise
  }

  async #run(): Promise<void> {
    for (let group = this.#group(); group.length > 0; group = this.#group())
      await this.#runGroup(group)
    this.#running = undefined
  }

  /** The next units, from everybody in turn. */
  #group(): Waiting[] {
    const group: Waiting[] = []
    while (group.length < GROUP) {
      const next = this.#waiting.next()
      if (!next) break
      group.push(next)
    }
    return group
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const units = group.map(({ unit }) => unit)
      const answer = v.parse(writeAnswerSchema, await this.#thread.ask({ units }))
      // The thread answers for each unit of the group.
      group.forEach(({ resolve }, i) => resolve(answer.units[i]!))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}
