/** A job as its reader may see it, in words. */

import { messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import type { JobView } from '../../protocol/job-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../catalog.ts'
import { formatterFor } from '../format.ts'
import { leftBehind } from '../plans/left-rows.ts'
import { ENDED, type Job } from '../source/job-engine.ts'
import type { JobKind } from './job-kind.ts'
import { inputOf } from './jobs.ts'
import type { Rate } from './recent-rates.ts'

export type DrawContext = {
  readonly actor: Actor
  readonly reader: Reader
  readonly catalog: Catalog
  readonly kinds: ReadonlyMap<string, JobKind>
  /** The entry of the history that each job has made, by job. */
  readonly entries: ReadonlyMap<string, string>
  /** How fast jobs have gone of late, by job. */
  readonly rates: ReadonlyMap<string, Rate>
  /** Address of a table's list. */
  href(table: string): string
}

export const hasEnded = ({ state }: Pick<Job, 'state'>): boolean =>
  ENDED.some((end) => end === state)

export const isOwn = ({ by }: Pick<Job, 'by'>, { id }: Actor): boolean => by.id === id

/** Whoever may see all of its tables may see a job; one without tables is of who started it. */
export const maySee = (job: Job, actor: Actor, catalog: Catalog): boolean =>
  isOwn(job, actor) ||
  (job.tables.length > 0 &&
    job.tables.every((table) => catalog.find(actor, table)?.access.may('read')))

export const maySteer = (job: Job, actor: Actor): boolean =>
  !actor.isLooking && (isOwn(job, actor) || actor.role === 'admin')

export function drawJob(job: Job, context: DrawContext): JobView {
  const { actor, kinds, entries, reader } = context
  const kind = kinds.get(job.kind)
  const own = (isOwn(job, actor) ? kind?.title?.(inputOf(job), reader) : undefined) ?? null
  const title = own ?? kind?.label(reader) ?? job.kind
  const steers = maySteer(job, actor)
  const isOpen = !hasEnded(job)
  const isRunning = job.state === 'running'
  return {
    id: job.id,
    title,
    about: aboutOf(job, title, context),
    state: job.state,
    ...progressOf(job, context),
    pace: isOpen ? paceOf(job, context) : '',
    mayPause: steers && isOpen && job.state !== 'paused' && job.asked === null,
    mayResume: steers && (job.state === 'paused' || (isRunning && job.asked === 'pause')),
    mayCancel: steers && isOpen && job.asked !== 'cancel',
    result: isOpen ? null : resultOf(job, context, kind),
    // Nothing is taken back while one looks.
    entry: actor.isLooking ? null : (entries.get(job.id) ?? null),
    left: isOpen ? null : leftOf(job, context, kind),
  }
}

/** Its tables, but for those that the title names, and who has started it. */
function aboutOf(
  { by, tables }: Job,
  title: string,
  { actor, reader, catalog }: DrawContext,
): string {
  const { jobs } = messagesFor(reader.language)
  const labels = tables.flatMap((name) => catalog.find(actor, name)?.definition.label ?? [])
  const others = labels.filter((label) => !title.includes(label))
  const list = new Intl.ListFormat(reader.locale).format(others)
  return jobs.about(list, by.id === actor.id ? null : by.name)
}

/** A number would tell of rows that the reader may not see. */
const tellsNumbers = (job: Job, { actor, catalog }: DrawContext): boolean =>
  isOwn(job, actor) ||
  job.tables.every((table) => catalog.find(actor, table)?.access.seesAllRows === true)

function progressOf(
  job: Job,
  context: DrawContext,
): Pick<JobView, 'done' | 'total' | 'doneText' | 'totalText'> {
  const { done, total } = job.progress
  if (!tellsNumbers(job, context)) return { done: 0, total: null, doneText: '', totalText: '' }
  const { jobs } = messagesFor(context.reader.language)
  const { number } = formatterFor(context.reader)
  const totalText = total === null ? '' : jobs.of(number(total))
  return { done, total, doneText: number(done), totalText }
}

function paceOf(job: Job, context: DrawContext): string {
  const { jobs } = messagesFor(context.reader.language)
  if (job.asked !== null) return jobs.asked[job.asked]
  if (job.state === 'waiting' || job.state === 'paused') return jobs[job.state]
  const { progress } = job
  const found = tellsNumbers(job, context) ? context.rates.get(job.id) : undefined
  if (!found) return jobs.running
  const { perSecond, isSteady } = found
  const { number } = formatterFor(context.reader)
  const rate = jobs.rate(number(perSecond, { maximumSignificantDigits: 3 }))
  if (progress.total === null || !isSteady) return rate
  const left = Math.max(progress.total - progress.done, 0) / perSecond
  return jobs.pace(rate, durationText(left, context.reader))
}

const UNITS = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in the largest unit of which there are some. */
function durationText(seconds: number, reader: Reader): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS[2]
  const count = Math.max(Math.ceil(seconds / size), 1)
  return formatterFor(reader).number(count, { style: 'unit', unit, unitDisplay: 'short' })
}

function resultOf(job: Job, context: DrawContext, kind: JobKind | undefined): string {
  const { actor, reader } = context
  const { jobs, errors } = messagesFor(reader.language)
  const told = (result: Json) =>
    isOwn(job, actor) ? (kind?.result?.({ ...job, result }, reader) ?? null) : null
  // How far it came, where it has ended early.
  const far = job.checkpoint === null ? null : told(null)
  const withFar = (why: string) => [why, ...(far === null ? [] : [far])].join(' ')
  if (job.state === 'failed') {
    const code = typeof job.result === 'string' ? job.result : ''
    return withFar(jobs.failed(isCode(code, errors) ? errors[code] : errors.SERVER_ERROR))
  }
  if (job.state === 'uncertain') return withFar(jobs.uncertain)
  const words = told(job.result)
  if (words !== null) return job.state === 'cancelled' ? jobs.cancelledWith(words) : words
  return jobs[job.state === 'cancelled' ? 'cancelled' : 'done']
}

/** Only who started a job can open the rows that it left. */
function leftOf(job: Job, context: DrawContext, kind: JobKind | undefined): JobView['left'] {
  const { actor, catalog, reader, href } = context
  const [table = ''] = job.tables
  const open = isOwn(job, actor) ? catalog.find(actor, table) : undefined
  const left = open && kind?.left?.({ input: inputOf(job), checkpoint: job.checkpoint })
  return left ? leftBehind({ open, reader, href }, left.plan, left.rows) : null
}

const isCode = <Codes extends object>(code: string, codes: Codes): code is keyof Codes & string =>
  Object.hasOwn(codes, code)
