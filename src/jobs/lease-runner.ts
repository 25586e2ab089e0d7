/** Runs durable jobs on this node under leases; the shared store says which node may run which job. */

import type { Json } from '../protocol/json.ts'
import { AppError } from '../server/app-error.ts'
import type {
  Job,
  JobAsk,
  JobEngine,
  JobHandler,
  JobQuery,
  JobRequest,
} from '../table/source/job-engine.ts'
import { JobStopped, JobUncertain } from '../table/source/job-engine.ts'
import type { ClaimedJob, JobStore, SettledStep } from '../table/source/job-store.ts'
import { LeasedRun } from './leased-run.ts'

/** Tells other nodes that there is a job; what it loses, they find by themselves a little later. */
export type JobSignal = {
  /** Returns `false` if nobody was told. */
  send(id: string): boolean
  /** `take` takes a job that is due, if there is one, and settles once its run has ended. */
  open(take: () => Promise<void>): void
  close(): Promise<void>
}

export type LeaseRunnerOptions = {
  readonly store: JobStore
  /** Tells this node from the others. */
  readonly node: string
  newId(): string
  now(): number
  /** Runs `task` after `delayMs`; returns what cancels it. */
  later(task: () => void, delayMs: number): () => void
  /** Default: 15 s. */
  readonly leaseMs?: number | undefined
  /** Jobs that run at once: on this node, and of one person on all nodes. Default: 4 and 2. */
  readonly atOnce?: number | undefined
  readonly atOnceOfPerson?: number | undefined
  /** Jobs that have not ended: of one person, and in all. Default: 20 and 500. */
  readonly queueOfPerson?: number | undefined
  readonly queue?: number | undefined
  /** How often the node looks for jobs of others, ms. Default: 1000. */
  readonly idleMs?: number | undefined
  /** How long jobs that have ended are kept, ms. Default: 90 days. */
  readonly keptMs?: number | undefined
  /** The step after the last one that was saved. Default: it is saved with what it writes. */
  readonly settle?: ((job: Job, number: number) => Promise<SettledStep>) | undefined
  readonly signal?: JobSignal | undefined
  readonly report?: ((sentence: string, error: unknown) => void) | undefined
}

const LEASE_MS = 15_000
/** The share of a lease at whose end a run writes nothing more. */
const MARGIN = 1 / 5
const IDLE_MS = 1000
const SWEEP_MS = 60 * 60 * 1000
const KEPT_MS = 90 * 24 * SWEEP_MS
/** The first pause after a failure that may pass, the longest one, and how many there may be in a row. */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const MOST_FAILURES = 20
/** How long until it is looked once more whether a step of a run that died was written. */
const LOOK_MS = 2000

/** A step was begun whose outcome cannot be known yet. It is nobody's failure, and ends by itself. */
class StepPending extends AppError {
  constructor() {
    super('OUTCOME_UNKNOWN')
  }
}

export class LeaseRunner implements JobEngine {
  readonly #options: LeaseRunnerOptions
  readonly #leaseMs: number
  readonly #handlers = new Map<string, JobHandler>()
  readonly #runs = new Map<LeasedRun, Promise<void>>()
  readonly #listeners = new Set<(job: Job) => void>()
  #looking: Promise<void> | undefined
  #looksAgain = false
  #isClosed = false
  #cancelLook = () => {}
  #cancelSweep = () => {}

  constructor(options: LeaseRunnerOptions) {
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#sweep()
    options.signal?.open(() => this.#take())
    this.#lookLater()
  }

  handle(kind: string, handler: JobHandler): void {
    if (this.#handlers.has(kind)) throw new TypeError(`The job [${kind}] has a handler already.`)
    this.#handlers.set(kind, handler)
    this.#poke()
  }

  async enqueue(request: JobRequest): Promise<Job> {
    const { store, now, newId, signal, queueOfPerson = 20, queue = 500 } = this.#options
    const bounds = { ofPerson: queueOfPerson, inAll: queue }
    const job = await store.add(request, { ...bounds, now: now(), newId })
    this.#tell(job)
    if (!signal?.send(job.id)) this.#poke()
    return job
  }

  find(id: string): Promise<Job | undefined> {
    return this.#options.store.find(id)
  }

  list(query: JobQuery): Promise<readonly Job[]> {
    return this.#options.store.list(query)
  }

  async ask(id: string, ask: JobAsk): Promise<Job | undefined> {
    const { store, now, signal } = this.#options
    const job = await store.ask(id, ask, now())
    if (!job) return undefined
    const { asked } = job
    if (asked) for (const run of this.#runs.keys()) if (run.id === id) run.stop(asked)
    this.#tell(job)
    if (ask === 'resume') signal?.send(id)
    this.#poke()
    return job
  }

  watch(listener: (job: Job) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelLook()
    this.#cancelSweep()
    for (const run of this.#runs.keys()) run.stop('close')
    await this.#looking
    for (const run of this.#runs.keys()) run.stop('close')
    await Promise.all(this.#runs.values())
    await this.#options.signal?.close()
    await this.#options.store.close()
  }

  #tell(job: Job): void {
    for (const listener of this.#listeners) listener(job)
  }

  #report(sentence: string, error: unknown): void {
    this.#options.report?.(sentence, error)
  }

  /** Looks for jobs now. */
  #poke(): void {
    this.#looksAgain = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
      this.#lookLater()
    })
  }

  #lookLater(): void {
    this.#cancelLook()
    if (this.#isClosed) return
    if (this.#looksAgain) return this.#poke()
    const { later, idleMs = IDLE_MS } = this.#options
    this.#cancelLook = later(() => this.#poke(), idleMs)
  }

  async #look(): Promise<void> {
    while (this.#looksAgain) {
      this.#looksAgain = false
      try {
        while (await this.#begin());
      } catch (error) {
        if (!this.#isClosed) this.#report('Jobs could not be looked for.', error)
      }
    }
  }

  async #take(): Promise<void> {
    await (
      await this.#begin()
    )?.ended
  }

  /** Takes one job that is due, unless the node runs as many as it may. */
  async #begin(): Promise<{ readonly ended: Promise<void> } | undefined> {
    const { store, node, now, atOnce = 4, atOnceOfPerson = 2 } = this.#options
    if (this.#isClosed || this.#runs.size >= atOnce) return undefined
    const claimedAt = now()
    const claimed = await store.claim({
      ...{ now: claimedAt, lease: { node, until: claimedAt + this.#leaseMs } },
      ...{ kinds: [...this.#handlers.keys()], ofPerson: atOnceOfPerson },
    })
    if (!claimed) return undefined
    const run = new LeasedRun(
      {
        ...this.#options,
        leaseMs: this.#leaseMs,
        marginMs: this.#leaseMs * MARGIN,
        changed: (job) => this.#tell(job),
      },
      claimed,
      claimedAt,
    )
    const { asked } = claimed.job
    if (asked) run.stop(asked)
    if (this.#isClosed) run.stop('close')
    this.#tell(claimed.job)
    const ended = this.#run(run, claimed).finally(() => {
      run.finish()
      this.#runs.delete(run)
      this.#poke()
    })
    this.#runs.set(run, ended)
    return { ended }
  }

  async #run(run: LeasedRun, claimed: ClaimedJob): Promise<void> {
    const { job, failures } = claimed
    try {
      const result = await this.#handled(run, claimed)
      await this.#end(run, 'done', result)
    } catch (error) {
      const hasMoved = run.steps > 0 && run.job.changedAt > job.changedAt
      await this.#stopped(run, error, hasMoved ? 0 : failures).catch((failure: unknown) =>
        // Its lease ends, and it is taken up again.
        this.#report('The end of a job could not be kept.', failure),
      )
    }
  }

  /** First settles what an earlier run has begun, so that no step is done twice. */
  async #handled(run: LeasedRun, { job, failures }: ClaimedJob): Promise<Json> {
    for (;;) {
      const settled = (await this.#options.settle?.(job, run.steps + 1)) ?? { state: 'none' }
      if (settled.state === 'none') break
      if (settled.state === 'uncertain') throw new JobUncertain()
      if (settled.state === 'pending') throw new StepPending()
      await run.adopt(settled.step)
    }
    run.signal.throwIfAborted()
    // It ends the processes that run it.
    if (failures > MOST_FAILURES) throw new AppError('SERVER_ERROR')
    // Only jobs of kinds with a handler are claimed.
    return this.#handlers.get(job.kind)!(run)
  }

  async #stopped(run: LeasedRun, error: unknown, failures: number): Promise<void> {
    if (error instanceof JobUncertain) return this.#end(run, 'uncertain', error.result)
    const stopped = stopOf(run, error)
    if (stopped === 'lost') return
    if (error instanceof StepPending)
      return this.#release(run, { state: 'waiting', pauseMs: LOOK_MS, failures, isOpen: true })
    const isOpen = isUnknown(error)
    if (stopped === 'cancel' && !isOpen) return this.#end(run, 'cancelled', null)
    if (stopped && !isOpen) {
      const state = stopped === 'pause' ? 'paused' : 'waiting'
      return this.#release(run, { state, pauseMs: 0, failures })
    }
    if (isTemporary(error) && failures < MOST_FAILURES) {
      const pauseMs = Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
      return this.#release(run, { state: 'waiting', pauseMs, failures: failures + 1, isOpen })
    }
    this.#report(`A job [${run.job.kind}] has failed.`, error)
    await this.#end(run, 'failed', error instanceof AppError ? error.code : 'SERVER_ERROR')
  }

  async #end(run: LeasedRun, state: 'done' | 'failed' | 'cancelled' | 'uncertain', result: Json) {
    const { store, now } = this.#options
    const held = await store.end(run.hold, { state, result, now: now() })
    if (held !== 'lost') await this.#tellAnew(run)
  }

  async #release(
    run: LeasedRun,
    as: {
      state: 'waiting' | 'paused'
      pauseMs: number
      failures: number
      /** Whether the next run finds out about the last step, before it heeds what it was asked. */
      isOpen?: boolean
    },
  ): Promise<void> {
    const { store, now, signal } = this.#options
    const { state, pauseMs, failures, isOpen = false } = as
    const at = { now: now(), dueAt: now() + pauseMs }
    const held = await store.release(run.hold, { state, failures, ...at })
    if (held === 'lost') return
    await this.#tellAnew(run)
    if (isOpen) return
    // Somebody asked meanwhile: there is no run any more that could heed it.
    if (held === 'cancel') await this.ask(run.id, 'cancel')
    else if (held === 'pause' && state === 'waiting') await this.ask(run.id, 'pause')
    else if (state === 'waiting' && this.#isClosed) signal?.send(run.id)
  }

  async #tellAnew(run: LeasedRun): Promise<void> {
    const job = this.#listeners.size > 0 ? await this.find(run.id) : undefined
    if (job) this.#tell(job)
  }

  #sweep(): void {
    const { store, now, later, keptMs = KEPT_MS } = this.#options
    // If it fails, the next one forgets what it left.
    void store.forget(now() - keptMs).catch(() => undefined)
    this.#cancelSweep = later(() => this.#sweep(), SWEEP_MS)
  }
}

/** Why the run stops: what the handler let pass, or threw because of it. */
const stopOf = ({ stopped }: LeasedRun, error: unknown): JobStopped['why'] | undefined =>
  (stopped ?? (error instanceof JobStopped ? error : undefined))?.why

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'OUTCOME_UNKNOWN'

const isTemporary = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 503 || error.status === 429)
