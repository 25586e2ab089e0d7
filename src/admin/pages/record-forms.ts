/** The routes of forms without script: what creates, changes and deletes a row, posted to the form's own address. */

import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import {
  POSTED,
  type PostedForm,
  type RemoveResult,
  type SaveResult,
} from '../../protocol/form-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { digestOf } from '../../server/component/digest.ts'
import {
  addGuardedRoute,
  type Guard,
  type Guarded,
  parseForm,
} from '../../server/http/guarded-routes.ts'
import { sayRetryAfter } from '../../server/http/http.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { RefusalLog } from '../../server/http/refusal-log.ts'
import { once, type OnceScope } from '../../server/lifecycle/once.ts'
import { visitorLimit } from '../../server/rate-limit.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import { LISTING } from '../../table/list/fold.ts'
import { openRows } from '../../table/record/form/component.ts'
import { type Fields, type Posted, readPosted } from '../../table/record/form/posted.ts'
import type { Texts } from '../../table/record/form/changed.ts'
import { type PostedSection, readPostedLines } from '../../table/record/form/posted-lines.ts'
import { suggest } from '../../table/record/form/related.ts'
import { createSaving, type SavingServices } from '../../table/record/form/saving.ts'
import { markRow, removeRow } from '../../table/record/remove.ts'
import type { PlanStore } from '../../table/plans/plan-store.ts'
import { parseFrom } from '../../table/record/state.ts'
import { recordHref } from '../../protocol/record-view.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import type { Cookies } from '../sign-in/cookies.ts'
import { checkLength, tableIn } from './list-page.ts'
import type { NewRecordPage } from './new-record-page.ts'
import { Redirect, type RoutedRequest } from './page.ts'
import { requestOf, sendPage } from './page-routes.ts'
import type { PageSender } from './page-sender.ts'
import type { RecordPage } from './record-page.ts'

/** A form carries its texts twice: as they were, and as they are. */
const FORM_BYTES = 2 * 1024 * 1024
const FORMS_PER_MINUTE = 120

export type RecordForms = SavingServices & {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly guard: Guard
  readonly cookies: Pick<Cookies, 'setNotice'>
  readonly pages: PageSender
  readonly refusals: RefusalLog
  readonly recordPage: RecordPage
  readonly newRecordPage: NewRecordPage
  readonly writes: Pick<OnceScope, 'writes' | 'running'>
  readonly now: () => number
  /** Where plans are kept, whose left rows a listing may show. Default: nowhere. */
  readonly plans?: PlanStore | undefined
  /** Told once rows were written, and on whose behalf. */
  wrote(actor: Actor): void
}

/** What a form asks for: the row, `null` for a new one, and whether it is to go. */
type Asked = {
  readonly routed: RoutedRequest
  readonly open: OpenTable
  readonly key: string | null
  readonly isDeleting: boolean
}

const formSchema = v.record(v.string(), v.string())

export function addRecordForms(app: FastifyInstance, services: RecordForms): void {
  const { addresses, guard, now } = services
  const limit = visitorLimit({ now, limit: FORMS_PER_MINUTE, windowMs: 60_000 })
  for (const path of [PATHS.record, PATHS.newRecord])
    addGuardedRoute(app, guard, {
      ...{ path: addresses.prefix + path, sends: 'form', bodyBytes: FORM_BYTES, limit },
      stranger: 'SIGN_IN_REQUIRED',
      read: (body): Fields => new Map(Object.entries(parseForm(formSchema, body))),
      handle: (guarded) => answer(services, guarded),
      refused: (error, guarded) => drawRefused(services, error, guarded),
    })
}

async function answer(services: RecordForms, guarded: Guarded<Fields>): Promise<unknown> {
  const { request, reply, body: fields } = guarded
  const asked = openAsked(services, guarded)
  const posted = postedIn(asked, fields)
  const { key, open } = asked
  const isUntouched = Object.keys(posted.typed).length === 0 && posted.sections.length === 0
  if (key !== null && !asked.isDeleting && isUntouched) {
    services.cookies.setNotice(reply, 'unchanged')
    return reply.redirect(recordHref(services.href(open.access.table.name), key, ''), 303)
  }
  const result = await writeOnce(services, guarded, () =>
    asked.isDeleting ? remove(services, asked, fields) : save(services, asked, posted),
  )
  if (result.status !== 'refused') {
    services.cookies.setNotice(reply, result.status)
    return reply.redirect(result.href, 303)
  }
  const told =
    'text' in result
      ? { errors: { '': [result.text] }, authors: {}, problems: {} }
      : {
          errors: result.errors,
          problems: result.sections ?? {},
          authors: Object.fromEntries(result.conflicts.map(({ column, who }) => [column, who])),
        }
  return drawAgain(services, { request, reply }, asked, { posted, told, status: 422 })
}

/** Throws `NOT_FOUND` for an address that has no form. */
function openAsked({ catalog }: RecordForms, guarded: Guarded<Fields>): Asked {
  const { request, reply, visitor } = guarded
  checkLength(request.url)
  const routed = requestOf(request, reply, visitor)
  const { query, params } = routed
  const open = openRows(catalog(), visitor.actor, tableIn({ table: params['table'] ?? '' }))
  const isDeleting = query.get('delete') === 'on'
  const key = params['key'] ?? null
  if (key !== null && !isDeleting && query.get('edit') !== 'on') throw new AppError('NOT_FOUND')
  return { routed, open, key, isDeleting: key !== null && isDeleting }
}

/** What was posted of the row, and of its lines. */
type PostedAll = Posted & { readonly sections: readonly PostedSection[] }

const NOTHING: PostedAll = { typed: {}, seen: {}, readings: {}, named: [], sections: [] }

function postedIn({ open, key, isDeleting, routed }: Asked, fields: Fields): PostedAll {
  if (isDeleting) return NOTHING
  const reader = readerOf(routed)
  return {
    ...readPosted(open, fields, { isNew: key === null, reader }),
    sections: readPostedLines(open, fields, reader),
  }
}

const readerOf = ({ locale, language, timeZone }: RoutedRequest): Reader => ({
  ...{ locale, language, timeZone },
})

/** The token in a form is of one page that was sent, so it names what is posted from there. */
async function writeOnce(
  { writes, wrote }: RecordForms,
  { request, visitor: { actor }, body }: Guarded<Fields>,
  write: () => Promise<SaveResult | RemoveResult>,
): Promise<SaveResult | RemoveResult> {
  const [page = ''] = (body.get('_token') ?? '').split('.', 1)
  const sent = [...body].filter(([name]) => name !== '_token')
  const asked = { key: `form.${page}`, digest: digestOf(JSON.stringify([request.url, sent])) }
  const answer = await once({ ...writes, actor }, asked, async () => {
    const result = await write()
    const text = JSON.stringify(result)
    // What was refused may be posted again.
    if (result.status === 'refused') return { answer: text, kept: null }
    wrote(actor)
    return { answer: text, kept: text }
  })
  const result: SaveResult | RemoveResult = JSON.parse(answer)
  return result
}

async function save(
  services: RecordForms,
  { open, key, routed }: Asked,
  { typed, seen, readings: own, named, sections }: PostedAll,
): Promise<SaveResult> {
  const saving = createSaving(services)
  const keysIn = (of: OpenTable, texts: Texts, columns: readonly string[]) =>
    withNamedRows(services, of, { texts, columns, signal: routed.signal })
  const changed = await keysIn(open, typed, named)
  const lines = await Promise.all(
    sections.map(async ({ section, lines: some }) => {
      const saved = some.map(async ({ id, isNew, isRemoved, ...line }) => ({
        ...{ id, isRemoved, key: isNew ? null : id, seen: line.seen },
        texts: { ...(await keysIn(section.open, line.texts, line.named)) },
      }))
      return [section.name, { lines: await Promise.all(saved), order: null }] as const
    }),
  )
  const ofLines = sections.flatMap(({ section, lines: some }) =>
    some.flatMap(({ readings }) =>
      Object.entries(readings).map(([name, reading]) => [`${section.name}/${name}`, reading]),
    ),
  )
  const readings = { ...own, ...Object.fromEntries(ofLines) }
  const { actor } = routed
  return saving.save({
    ...{ open, actor, door: 'form', key, changed, seen, readings, reader: readerOf(routed) },
    sections: lines.length > 0 ? { lines: Object.fromEntries(lines), links: {} } : null,
  })
}

type Names = {
  readonly texts: Texts
  /** Those whose text may be the name of a related row. */
  readonly columns: readonly string[]
  readonly signal: AbortSignal
}

/** A name that one row alone has stands for its key. */
async function withNamedRows(
  { source }: RecordForms,
  open: OpenTable,
  { texts, columns, signal }: Names,
): Promise<Texts> {
  const keys = columns.map(async (column): Promise<[string, string | null]> => {
    const text = texts[column] ?? ''
    const found = await suggest(source, open, { column, text, signal })
    const [one, ...others] = found.filter(({ label }) => label === text.trim())
    return [column, one && others.length === 0 ? one.text : text]
  })
  return { ...texts, ...Object.fromEntries(await Promise.all(keys)) }
}

/** A row that is only marked as deleted has its page still. */
async function remove(
  services: RecordForms,
  { open, key, routed }: Asked,
  fields: Fields,
): Promise<RemoveResult> {
  const row = { open, actor: routed.actor, key: key ?? '', reader: readerOf(routed) }
  const list = services.href(open.access.table.name)
  if (fields.has(POSTED.mark)) {
    const result = await markRow(services, row, true)
    const href = recordHref(list, row.key, '')
    return result.status === 'done' ? { ...result, status: 'removed', href } : result
  }
  const from = await parseFrom({ from: routed.query.get('from') }, open, services.plans)
  return removeRow(services, { ...row, listHref: LISTING.href(list, from.state) })
}

type Again = {
  readonly posted: PostedAll
  readonly told: Pick<PostedForm, 'errors' | 'authors' | 'problems'>
  readonly status: number
}

/** Draws the form's page with what was typed, and what stands in the way. */
async function drawAgain(
  { recordPage, newRecordPage, pages }: RecordForms,
  { request, reply }: Pick<Guarded<Fields>, 'request' | 'reply'>,
  { routed, key }: Asked,
  { posted: { typed, seen, sections }, told, status }: Again,
): Promise<unknown> {
  const lines = sections.map(({ section, lines: some }) => [
    section.name,
    some.map(({ id, isNew, isRemoved, texts, seen: was }) => ({
      id,
      isNew,
      isRemoved,
      texts,
      seen: was,
    })),
  ])
  const posted: PostedForm = {
    ...{ texts: { ...typed }, seen: { ...seen }, lines: Object.fromEntries(lines), ...told },
  }
  const send = async (page: RecordPage | NewRecordPage) => {
    const opened = await page.open(routed)
    if (opened instanceof Redirect) throw new AppError('NOT_FOUND')
    const about = { ...opened, posted }
    return sendPage(pages, page, { request, reply, routed, about, visitor: routed }, { status })
  }
  return key === null ? send(newRecordPage) : send(recordPage)
}

/** Nothing that was typed is lost for an expired page, a busy server, or a form that was posted before. */
function drawRefused(
  services: RecordForms,
  error: unknown,
  guarded: Guarded<Fields>,
): Promise<unknown> {
  if (!(error instanceof AppError) || LOST.has(error.code)) throw error
  const asked = openAsked(services, guarded)
  const reader = readerOf(asked.routed)
  sayRetryAfter(guarded.reply, error)
  services.refusals.note(error, `POST ${guarded.request.routeOptions.url ?? ''}`)
  const { form } = messagesFor(reader.language)
  const text = error.code === 'KEY_REUSED' ? form.postedBefore : error.messageFor(reader)
  const posted = postedIn(asked, guarded.body)
  const told = { errors: { '': [text] }, authors: {}, problems: {} }
  return drawAgain(services, guarded, asked, { posted, told, status: error.status })
}

/** After these there is no form to draw. */
const LOST: ReadonlySet<string> = new Set([
  ...['NOT_FOUND', 'FORBIDDEN', 'REQUEST_INVALID', 'JSON_MALFORMED', 'TABLE_UNKNOWN_COLUMN'],
])
