/** The route that exports rows of a listing as a file: the form on the page posts to it. */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  EXPORTED_COLUMNS,
  FILE_FORMATS,
  type FileFormat,
  FIRST_EXPORT,
  REFERENCES,
} from '../protocol/export.ts'
import { isNone, type Selected } from '../protocol/selection.ts'
import { UPDATE_LIMITS } from '../protocol/wire.ts'
import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import { disposition, plainName } from '../server/http/disposition.ts'
import { NOT_EMBEDDED } from '../server/http/embedding.ts'
import {
  addGuardedRoute,
  type Guard,
  type Guarded,
  parseForm,
} from '../server/http/guarded-routes.ts'
import { type Reader, readerOf } from '../server/http/locale.ts'
import { abortOnClose } from '../server/http/end-of-request.ts'
import { parseStrictJson } from '../server/http/strict-json.ts'
import { visitorLimit } from '../server/rate-limit.ts'
import { exportRows } from '../table/actions/export-rows.ts'
import type { Catalog } from '../table/catalog.ts'
import { LISTING } from '../table/list/fold.ts'
import type { PlanStore } from '../table/plans/plan-store.ts'
import { selectedSchema } from '../table/selection.ts'
import type { RowSource } from '../table/source/row-source.ts'
import { type Addresses, PATHS } from './addresses.ts'
import { createExportPlaces, type ExportPlaces, waitedTooLong } from './export-places.ts'
import { checkLength, tableIn } from './pages/list-page.ts'
import { queryOf } from './pages/page-sender.ts'
import type { SignIn } from './sign-in/visitors.ts'

/** Longest time that an export may take, ms. */
export const EXPORT_LIMIT_MS = 30 * 60_000
const EXPORTS_PER_MINUTE = 30
/** How long an export waits for its turn before the person is told so, ms. */
const WAIT_MS = 20_000
/** How long a browser may leave a piece of the file unread before its export is closed, ms. */
const STALL_MS = 120_000

export type ExportRouteParts = {
  catalog(): Catalog
  readonly source: RowSource
  readonly addresses: Addresses
  readonly guard: Guard
  readonly now: () => number
  /** Who has made an earlier request, as they are now: whoever has another role since gets no more rows. */
  readonly stillSignedIn: SignIn['stillSignedIn']
  /** Rows that a plan has left are exported as well. */
  readonly plans?: PlanStore | undefined
  /** Default: `EXPORT_LIMIT_MS`. */
  readonly limitMs?: number
  /** Default: `STALL_MS`. */
  readonly stallMs?: number
  /** Default: `WAIT_MS`. */
  readonly waitMs?: number
  /** Where a failure is written that the answer can no longer tell. Default: nowhere. */
  log?(line: string, error: unknown): void
}

const MEDIA_TYPES: { readonly [format in FileFormat]: string } = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const formSchema = v.object({
  /** The selection as JSON, as the page's script sends it … */
  selected: v.optional(v.string()),
  /** … or the keys of the rows that were ticked. */
  key: v.optional(v.union([v.string(), v.array(v.string())]), []),
  format: v.optional(v.picklist(FILE_FORMATS), FIRST_EXPORT.format),
  references: v.optional(v.picklist(REFERENCES), FIRST_EXPORT.references),
  columns: v.optional(v.picklist(EXPORTED_COLUMNS), FIRST_EXPORT.columns),
})

type Form = v.InferOutput<typeof formSchema>

const routeParams = v.object({ table: v.string() })

/** Adds the route. Its address is that of the list and its state, so no address grows. */
export function addExportRoute(app: FastifyInstance, parts: ExportRouteParts): void {
  const { addresses, guard, now } = parts
  const { limitMs = EXPORT_LIMIT_MS, stallMs = STALL_MS, waitMs = WAIT_MS } = parts
  const limit = visitorLimit({ now, limit: EXPORTS_PER_MINUTE, windowMs: 60_000 })
  const places = createExportPlaces()
  const path = addresses.prefix + PATHS.export

  // Reloading a page that says why an export failed leads back to the list.
  app.get(path, NOT_EMBEDDED, (request, reply) => {
    const { search } = new URL(request.url, 'http://tablewire.invalid')
    return reply.redirect(addresses.list(tableOf(request)) + search, 303)
  })

  const exported = async ({ request, reply, visitor: { actor }, body: form }: Guarded<Form>) => {
    const { format, references, columns } = form
    checkLength(request.url)
    const opened = parts.catalog().open(actor, tableOf(request))
    const state = LISTING.parse(queryOf(request.url), opened)
    const open = await LISTING.prepare(opened, state, parts.plans)
    const selected = selectedIn(form)
    const signal = abortOnClose(reply)
    // Once the client has gone, no event would end what begins here.
    signal.throwIfAborted()
    const release = places.open(actor.id)
    reply.raw.once('close', release)
    try {
      const reader = readerOf(request)
      const { language, locale, timeZone } = reader
      const clock = { now: now(), locale, timeZone }
      const choice = { format, references, columns }
      const wanted = { open, state, selected, clock, language, ...choice }
      const turn = { person: actor.id, signal, waitMs, mayGoOn: () => mayGoOn(request, actor) }
      const source = inTurn(parts.source, places, turn)
      const file = exportRows(LISTING, wanted, { source, signal })
      // Until the first rows have come, a failure is answered in words.
      const first = await file.next()
      const named = fileName(open.definition.label, format, reader, now())
      return await reply
        .header('content-disposition', named)
        .type(MEDIA_TYPES[format])
        .send(
          streamOf(first, takenInTime(file, reply, stallMs), (error) => fail(parts, reply, error)),
        )
    } catch (error) {
      release()
      throw error
    }
  }

  /** Whether they are still signed in, in the same role. While that cannot be asked, the export goes on. */
  async function mayGoOn(request: FastifyRequest, { id, role }: Actor): Promise<boolean> {
    const now = await parts.stillSignedIn(request).catch((): 'unknown' => 'unknown')
    return now === 'unknown' || (now?.actor.id === id && now.actor.role === role)
  }

  addGuardedRoute(app, guard, {
    ...{ path, sends: 'form', limit, limitMs, handle: exported },
    stranger: 'SIGN_IN_REQUIRED',
    whileLooking: true,
    // Compressing would hold the first bytes back, and take longer than reading the rows.
    compress: false,
    read: (body) => parseForm(formSchema, body),
  })
}

const tableOf = (request: FastifyRequest): string => tableIn(v.parse(routeParams, request.params))

/** No row that is ticked means all that match. */
function selectedIn({ selected, key }: Form): Selected {
  const sent =
    selected === undefined ? [key].flat() : parseStrictJson(selected, UPDATE_LIMITS.depth)
  const parsed = v.safeParse(selectedSchema, sent)
  if (!parsed.success)
    throw new AppError('REQUEST_INVALID', { detail: ({ request }) => request.at('selected') })
  return isNone(parsed.output) ? [] : parsed.output
}

/**
 * What the answer is made of. After a failure the connection breaks, so that no browser takes half a
 * file for a whole one.
 */
function streamOf(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
  failed: (error: unknown) => void,
): Readable {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      if (!first.done) yield first.value
      yield* rest
    } catch (error) {
      failed(error)
      throw error
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 256 * 1024 })
}

type Turn = {
  readonly person: string
  readonly signal: AbortSignal
  readonly waitMs: number
  /** Asked before every part but the first. */
  mayGoOn(): Promise<boolean>
}

/** Reads each part in turn; the first one gives up after a while, so that the person can be told. */
function inTurn(
  source: Pick<RowSource, 'lines'>,
  places: ExportPlaces,
  { person, signal, waitMs, mayGoOn }: Turn,
): Pick<RowSource, 'lines'> {
  let isFirst = true
  return {
    async lines(...query) {
      const late = new AbortController()
      const until = isFirst ? AbortSignal.any([signal, late.signal]) : signal
      const timer = isFirst && setTimeout(() => late.abort(waitedTooLong(waitMs)), waitMs)
      if (!isFirst && !(await mayGoOn())) throw new AppError('FORBIDDEN')
      isFirst = false
      return places.read(person, until, () => {
        if (timer) clearTimeout(timer)
        return source.lines(...query)
      })
    },
  }
}

/** The pieces; the connection is closed if the next one is not asked for in time, or the end not sent. */
async function* takenInTime(
  file: AsyncGenerator<Uint8Array>,
  { raw }: FastifyReply,
  ms: number,
): AsyncGenerator<Uint8Array> {
  const watch = () => setTimeout(() => raw.destroy(), ms).unref()
  let timer: NodeJS.Timeout | undefined
  raw.once('close', () => clearTimeout(timer))
  for await (const piece of file) {
    timer = watch()
    yield piece
    clearTimeout(timer)
  }
  timer = watch()
}

/** Somebody who has left wants no file; everything else is worth a line. */
function fail({ log }: ExportRouteParts, reply: FastifyReply, error: unknown): void {
  if (!reply.raw.destroyed) log?.('An export broke off.', error)
}

/** Such as `Wildlife strikes 2026-11-22.csv`, with a plainer name for old browsers. */
function fileName(label: string, format: FileFormat, reader: Reader, now: number): string {
  // Sweden writes dates as ISO 8601 does.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: reader.timeZone }).format(now)
  return disposition('attachment', `${plainName(label) || 'rows'} ${day}.${format}`)
}
