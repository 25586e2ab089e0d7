/** One run of a job under its lease: keeps the lease, saves steps, and stops before it could be taken over. */

import type { Job, JobRun, JobStep } from '../table/source/job-engine.ts'
import { JobStopped } from '../table/source/job-engine.ts'
import type { ClaimedJob, HoldState, JobHold, JobStore } from '../table/source/job-store.ts'
import type { EntryStep } from '../table/source/ledger-entry.ts'

export type LeaseTerms = {
  /** How long a node alone may run a job after it has last said so, ms. */
  readonly leaseMs: number
  /** How long before the end of its lease a run writes nothing more, ms. */
  readonly marginMs: number
}

export type RunParts = LeaseTerms & {
  readonly store: JobStore
  now(): number
  /** Runs `task` after `delayMs`; returns what cancels it. */
  later(task: () => void, delayMs: number): () => void
  /** Told of each step. */
  changed(job: Job): void
}

export class LeasedRun implements JobRun {
  readonly #parts: RunParts
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  readonly hold: JobHold
  #job: Job
  /** Number of the last step that was saved. */
  #steps: number
  #stopped: JobStopped | undefined
  #until: number
  #cancelBeat = () => {}
  #cancelDeadline = () => {}

  /** `claimedAt`: when the lease began. */
  constructor(parts: RunParts, { job, hold, steps }: ClaimedJob, claimedAt: number) {
    this.#parts = parts
    this.hold = hold
    this.#job = job
    this.#steps = steps
    this.#until = claimedAt + parts.leaseMs
    this.#watchDeadline()
    this.#waitForBeat()
  }

  get id(): string {
    return this.#job.id
  }
  get by(): Job['by'] {
    return this.#job.by
  }
  get input(): Job['input'] {
    return this.#job.input
  }
  get checkpoint(): Job['checkpoint'] {
    return this.#job.checkpoint
  }
  get progress(): Job['progress'] {
    return this.#job.progress
  }
  get signal(): AbortSignal {
    return this.#stopping.signal
  }
  get ending(): AbortSignal {
    return this.#ending.signal
  }
  /** Why it stops: a pause gives way to whatever ends the run, and all else to a lost lease. */
  get stopped(): JobStopped | undefined {
    return this.#stopped
  }
  get job(): Job {
    return this.#job
  }
  get steps(): number {
    return this.#steps
  }

  async save(step: JobStep): Promise<void> {
    this.#assertHeld()
    await this.#save(step, this.#steps + 1)
    this.#throwIfStopped()
  }

  async write<Outcome extends { readonly status: 'done' | 'refused' }>(
    step: JobStep,
    write: (step: EntryStep) => Promise<Outcome>,
  ): Promise<Outcome> {
    this.#assertHeld()
    this.#throwIfStopped()
    const number = this.#steps + 1
    const { checkpoint, progress } = step
    const outcome = await write({
      ...{ job: this.id, fence: this.hold.fence, number, checkpoint, ...progress },
      at: this.#parts.now(),
    })
    if (outcome.status === 'refused') return outcome
    // Saved with the rows already where the records share their database; it is the same step.
    await this.#save(step, number)
    this.#throwIfStopped()
    return outcome
  }

  /** A step of an earlier run was written, and nobody has saved that. */
  async adopt({ number, checkpoint, done, total }: EntryStep): Promise<void> {
    this.#assertHeld()
    await this.#save({ checkpoint, progress: { done, total } }, number)
    this.#assertHeld()
  }

  /** Stops after the step under way. */
  stop(why: JobStopped['why']): void {
    const before = this.#stopped?.why ?? 'pause'
    const stopped = new JobStopped(why)
    if (before === 'pause' || why === 'lost') this.#stopped = stopped
    this.#stopping.abort(stopped)
    if (why !== 'pause') this.#ending.abort(stopped)
  }

  /** Lets the lease go. */
  finish(): void {
    this.#cancelBeat()
    this.#cancelDeadline()
  }

  async #save(step: JobStep, number: number): Promise<void> {
    const { store, now, changed } = this.#parts
    this.#follow(await store.save(this.hold, { ...step, number, now: now() }))
    if (this.#isLost()) return
    this.#steps = number
    this.#job = { ...this.#job, ...step, changedAt: now() }
    changed(this.#job)
  }

  #follow(state: HoldState): void {
    if (state !== 'held') this.stop(state)
  }

  #isLost(): boolean {
    return this.#stopped?.why === 'lost'
  }

  /** Throws when another run may have begun; timers may be late where the process was stopped. */
  #assertHeld(): void {
    const { now, marginMs } = this.#parts
    if (now() >= this.#until - marginMs) this.stop('lost')
    if (this.#isLost()) throw this.#stopped
  }

  #throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped
  }

  #waitForBeat(): void {
    this.#cancelBeat = this.#parts.later(() => void this.#beat(), this.#parts.leaseMs / 3)
  }

  async #beat(): Promise<void> {
    const { store, now, leaseMs } = this.#parts
    const until = now() + leaseMs
    this.#waitForBeat()
    try {
      this.#follow(await store.keep(this.hold, until))
      if (this.#isLost()) return
      this.#until = Math.max(this.#until, until)
      this.#watchDeadline()
    } catch {
      // The next beat tries again, until the lease is about to end.
    }
  }

  #watchDeadline(): void {
    const { now, later, marginMs } = this.#parts
    this.#cancelDeadline()
    this.#cancelDeadline = later(() => this.stop('lost'), this.#until - marginMs - now())
  }
}
