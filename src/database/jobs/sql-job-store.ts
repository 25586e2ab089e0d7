/** Jobs in a database of Tablewire's own tables. */

import { createHash } from 'node:crypto'
import { type Kysely, sql, type UpdateObject } from 'kysely'
import * as v from 'valibot'
import { parseJson } from '../../protocol/json.ts'
import { AppError } from '../../server/app-error.ts'
import {
  ENDED,
  type Job,
  type JobAsk,
  type JobQuery,
  type JobRequest,
} from '../../table/source/job-engine.ts'
import type {
  ClaimedJob,
  ClaimQuery,
  HoldState,
  JobBounds,
  JobHold,
  JobStore,
} from '../../table/source/job-store.ts'
import { openStore, type Store, type StoreOptions } from '../metadata/store.ts'
import { JOB_MIGRATIONS } from './migrations.ts'
import type { JobRow, JobTables } from './tables.ts'

type Db = Kysely<JobTables>
type Changes = UpdateObject<JobTables, 'tablewireJobs'>
/** What a run has saved last. */
type HeldAt = Readonly<{ state: HoldState; steps: number; checkpoint: string; done: number }>

/** States of jobs that have not ended. */
const OPEN = ['waiting', 'running', 'paused'] as const
/** After what time a person may try again where a queue is full, seconds. */
const FULL_RETRY_SECONDS = 10
const tableNames = v.array(v.string())

/** Opens the jobs by an address as `openStore` takes it. Throws one sentence that says what is wrong. */
export async function openJobStore(address: string, options: StoreOptions = {}): Promise<JobStore> {
  try {
    return new SqlJobStore(await openStore<JobTables>(address, JOB_MIGRATIONS, options))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Jobs cannot be kept: ${reason}`, { cause })
  }
}

class SqlJobStore implements JobStore {
  readonly #db: Db
  readonly #store: Store<JobTables>

  constructor(store: Store<JobTables>) {
    this.#db = store.db
    this.#store = store
  }

  async add(request: JobRequest, bounds: Parameters<JobStore['add']>[1]): Promise<Job> {
    const requestKey = digestOf(request.key)
    const known = await this.#known(request.by.id, requestKey)
    if (known) return jobOf(known)
    await this.#assertRoom(request.by.id, bounds)
    const row = newRow(request, requestKey, bounds)
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('tablewireJobs')
      .values(row)
      .onConflict((conflict) => conflict.columns(['byId', 'requestKey']).doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) return jobOf(row)
    // The same request came twice at once.
    return this.add(request, bounds)
  }

  async find(id: string): Promise<Job | undefined> {
    const row = await rowOf(this.#db, id)
    return row && jobOf(row)
  }

  async list({ states, by, endedSince, size }: JobQuery): Promise<Job[]> {
    let query = this.#db.selectFrom('tablewireJobs').selectAll()
    if (states) query = query.where('state', 'in', states)
    if (by !== undefined) query = query.where('byId', '=', by)
    if (endedSince !== undefined)
      query = query.where(({ or, eb }) =>
        or([eb('endedAt', '>=', endedSince), eb('state', 'in', OPEN)]),
      )
    const rows = await query.orderBy('createdAt').orderBy('id').limit(size).execute()
    return rows.map(jobOf)
  }

  async claim({ now, lease, kinds, ofPerson }: ClaimQuery): Promise<ClaimedJob | undefined> {
    if (kinds.length === 0) return undefined
    // The queue is bounded, and so is this.
    const open = await this.#db
      .selectFrom('tablewireJobs')
      .select(['id', 'kind', 'byId', 'state', 'fence', 'until', 'dueAt'])
      .where('state', 'in', ['waiting', 'running'])
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    const isHeld = ({ state, until }: (typeof open)[number]) =>
      state === 'running' && Number(until) > now
    const running = Map.groupBy(open.filter(isHeld), ({ byId }) => byId)
    const load = (byId: string) => running.get(byId)?.length ?? 0
    const due = open
      .filter((row) => !isHeld(row) && Number(row.dueAt) <= now && kinds.includes(row.kind))
      .filter(({ byId }) => load(byId) < ofPerson)
      .toSorted((a, b) => load(a.byId) - load(b.byId))
    for (const { id, fence, state } of due) {
      const taken = await this.#take({ id, fence: Number(fence) }, state, { now, lease })
      if (taken) return taken
    }
    return undefined
  }

  /** Of nodes that find a job due, one changes its row. */
  async #take(
    { id, fence }: JobHold,
    state: JobRow['state'],
    { now, lease: { node, until } }: Pick<ClaimQuery, 'now' | 'lease'>,
  ): Promise<ClaimedJob | undefined> {
    const isTaken = await changed(
      this.#db
        .updateTable('tablewireJobs')
        .set(({ ref }) => ({
          ...{ state: 'running', node, until, fence: fence + 1, changedAt: now },
          ...{ runSince: now, runDone: ref('done') },
          // Its last run has died.
          ...(state === 'running' && { failures: sql<number>`${ref('failures')} + 1` }),
        }))
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('state', '=', state),
    )
    const row = isTaken ? await rowOf(this.#db, id) : undefined
    if (!row || Number(row.fence) !== fence + 1) return undefined
    const [steps, failures] = [Number(row.steps), Number(row.failures)]
    return { job: jobOf(row), hold: { id, fence: fence + 1 }, steps, failures }
  }

  keep(hold: JobHold, until: number): Promise<HoldState> {
    return this.#held(hold, { until })
  }

  async save(
    hold: JobHold,
    { number, checkpoint, progress: { done, total }, now }: Parameters<JobStore['save']>[1],
  ): Promise<HoldState> {
    const text = JSON.stringify(checkpoint)
    const known = await this.#heldAt(hold)
    // Saved with what it wrote: another commit would cost as much as that one. Where the answer to a step was lost, the
    // next one has its number.
    const isSaved = known?.steps === number && known.checkpoint === text && known.done === done
    if (isSaved) return known.state
    return this.#held(
      hold,
      { checkpoint: text, steps: number, done, total, failures: 0, changedAt: now },
      number,
    )
  }

  end(hold: JobHold, { state, result, now }: Parameters<JobStore['end']>[1]): Promise<HoldState> {
    return this.#held(hold, {
      ...{ state, result: JSON.stringify(result), asked: null, endedAt: now, changedAt: now },
    })
  }

  release(
    hold: JobHold,
    { state, dueAt, failures, now }: Parameters<JobStore['release']>[1],
  ): Promise<HoldState> {
    // What was asked besides is still to be done.
    const asked = sql<JobRow['asked']>`case when asked = 'pause' then null else asked end`
    const paused = state === 'paused' ? { asked } : {}
    return this.#held(hold, { state, dueAt, failures, changedAt: now, ...paused })
  }

  async ask(id: string, ask: JobAsk, now: number): Promise<Job | undefined> {
    const change = (set: Changes, from: readonly JobRow['state'][]) =>
      changed(
        this.#db
          .updateTable('tablewireJobs')
          .set({ ...set, changedAt: now })
          .where('id', '=', id)
          .where('state', 'in', from),
      )
    const isDone =
      ask === 'resume'
        ? // One that was to pause, and has not yet, goes on.
          (await change({ state: 'waiting', dueAt: now, asked: null }, ['paused'])) ||
          (await changed(
            this.#db
              .updateTable('tablewireJobs')
              .set({ asked: null, changedAt: now })
              .where('id', '=', id)
              .where('state', '=', 'running')
              .where('asked', '=', 'pause'),
          ))
        : ask === 'pause'
          ? (await change({ state: 'paused' }, ['waiting'])) ||
            (await changed(
              this.#db
                .updateTable('tablewireJobs')
                .set({ asked: 'pause', changedAt: now })
                .where('id', '=', id)
                .where('state', '=', 'running')
                .where('asked', 'is', null),
            ))
          : (await change({ state: 'cancelled', endedAt: now }, ['waiting', 'paused'])) ||
            (await change({ asked: 'cancel' }, ['running']))
    return isDone ? this.find(id) : undefined
  }

  async forget(before: number): Promise<void> {
    await this.#db.deleteFrom('tablewireJobs').where('endedAt', '<', before).execute()
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #known(person: string, requestKey: string): Promise<JobRow | undefined> {
    return this.#db
      .selectFrom('tablewireJobs')
      .selectAll()
      .where('byId', '=', person)
      .where('requestKey', '=', requestKey)
      .executeTakeFirst()
  }

  /** Of those that come at the same moment, a few more may pass. */
  async #assertRoom(person: string, { ofPerson, inAll }: JobBounds): Promise<void> {
    const open = await this.#db
      .selectFrom('tablewireJobs')
      .select('byId')
      .where('state', 'in', OPEN)
      .limit(inAll)
      .execute()
    const retryAfter = FULL_RETRY_SECONDS
    if (open.length >= inAll) throw new AppError('BUSY', { retryAfter })
    if (open.filter(({ byId }) => byId === person).length >= ofPerson)
      throw new AppError('TOO_MANY_REQUESTS', { retryAfter })
  }

  /** `undefined` where this run holds the job no longer. */
  async #heldAt({ id, fence }: JobHold): Promise<HeldAt | undefined> {
    const row = await this.#db
      .selectFrom('tablewireJobs')
      .select(['asked', 'steps', 'checkpoint', 'done'])
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (!row) return undefined
    const [steps, done] = [Number(row.steps), Number(row.done)]
    return { state: row.asked ?? 'held', steps, checkpoint: row.checkpoint, done }
  }

  /** Changes the row of a job that this run holds; a step that was saved already stays. */
  async #held({ id, fence }: JobHold, set: Changes, number?: number): Promise<HoldState> {
    let update = this.#db
      .updateTable('tablewireJobs')
      .set(set)
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', '=', 'running')
    if (number !== undefined) update = update.where('steps', '<=', number)
    if (!(await changed(update))) return 'lost'
    const row = await this.#db
      .selectFrom('tablewireJobs')
      .select(['asked', 'fence'])
      .where('id', '=', id)
      .executeTakeFirst()
    return !row || Number(row.fence) !== fence ? 'lost' : (row.asked ?? 'held')
  }
}

async function changed(update: {
  executeTakeFirstOrThrow(): Promise<{ readonly numUpdatedRows: bigint }>
}): Promise<boolean> {
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const rowOf = (db: Db, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('tablewireJobs').selectAll().where('id', '=', id).executeTakeFirst()

/** Keys may be of any length. */
const digestOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

const newRow = (
  { kind, by, tables, input }: JobRequest,
  requestKey: string,
  { now, newId }: { readonly now: number; newId(): string },
): JobRow => ({
  ...{ id: newId(), kind, byId: by.id, byName: by.name, requestKey },
  ...{ tables: JSON.stringify(tables), input: JSON.stringify(input) },
  ...{ state: 'waiting', asked: null, checkpoint: 'null', result: 'null' },
  ...{ steps: 0, done: 0, total: null, node: '', until: 0, fence: 0, runSince: 0, runDone: 0 },
  ...{ dueAt: now, failures: 0, createdAt: now, changedAt: now, endedAt: null },
})

const isEnded = (state: string): boolean => ENDED.some((end) => end === state)

function jobOf(row: JobRow): Job {
  const { id, kind, byId, byName, state, asked, total, endedAt } = row
  return {
    ...{ id, kind, by: { id: byId, name: byName }, state },
    tables: v.parse(tableNames, JSON.parse(row.tables)),
    input: parseJson(row.input),
    asked: isEnded(state) ? null : asked,
    progress: { done: Number(row.done), total: total === null ? null : Number(total) },
    result: parseJson(row.result),
    checkpoint: parseJson(row.checkpoint),
    createdAt: Number(row.createdAt),
    run: state === 'running' ? { since: Number(row.runSince), done: Number(row.runDone) } : null,
    changedAt: Number(row.changedAt),
    endedAt: endedAt === null ? null : Number(endedAt),
  }
}
