/** Saves what administrators correct, by the form of its page. */

import type { FastifyInstance } from 'fastify'
import { AppError } from '../../server/app-error.ts'
import {
  addGuardedRoute,
  type Guard,
  type Guarded,
  parseForm,
} from '../../server/http/guarded-routes.ts'
import { type Reader, readerOf } from '../../server/http/locale.ts'
import type { RefusalLog } from '../../server/http/refusal-log.ts'
import { PATHS } from '../addresses.ts'
import { type CorrectionChange, CorrectionConflict } from '../corrections/corrections.ts'
import {
  changesIn,
  type CorrectionForm,
  correctionForm,
  CorrectionsRefused,
} from '../corrections/form.ts'
import { conflictText, refusedOf } from '../corrections/refused.ts'
import {
  correctionsAddress,
  type CorrectionsPage,
  type CorrectionsPages,
  openCorrecting,
} from './corrections-page.ts'
import { tableIn } from './list-page.ts'
import { requestOf, sendPage } from './page-routes.ts'
import type { PageSender } from './page-sender.ts'

export type CorrectionsRoutes = CorrectionsPages & {
  readonly correctionsPage: CorrectionsPage
  readonly guard: Guard
  readonly pages: PageSender
  readonly refusals: RefusalLog
}

/** All columns of a wide table, twice. */
const FORM_BYTES = 512 * 1024

/** What is told on the page that was sent, where it was drawn from what was wrong. */
const TOLD: ReadonlySet<string> = new Set([
  ...['TABLE_UNKNOWN_COLUMN', 'REQUEST_INVALID', 'CHANGED_MEANWHILE'],
])

export function addCorrectionsRoutes(app: FastifyInstance, services: CorrectionsRoutes): void {
  const { addresses, guard, refusals } = services
  addGuardedRoute(app, guard, {
    path: addresses.prefix + PATHS.corrections,
    ...{ sends: 'form', bodyBytes: FORM_BYTES, stranger: 'SIGN_IN_REQUIRED' },
    read: (body) => parseForm(correctionForm, body),
    async handle(guarded) {
      // Another node may have drawn the page.
      await services.corrections.follow()
      const { open, column, changes } = changesOf(services, guarded)
      if (changes.length > 0) await services.corrections.save(guarded.visitor.actor, changes)
      const done = changes.length === 0 ? 'none' : guarded.body.back ? 'back' : 'saved'
      const address = new URL(
        correctionsAddress(addresses.list(open.definition.table.name), column),
        'http://tablewire.invalid',
      )
      address.searchParams.set('done', done)
      return guarded.reply.redirect(address.pathname + address.search, 303)
    },
    refused(error, guarded) {
      if (!(error instanceof AppError) || !TOLD.has(error.code)) throw error
      const { request, reply, visitor } = guarded
      refusals.note(error, 'POST corrections')
      const reader = readerOf(request)
      const opened = aboutOf(services, guarded)
      const { corrected } = services.catalog()
      const faults = error instanceof CorrectionsRefused ? error.faults : []
      const isTold = error instanceof CorrectionConflict
      const about = {
        ...opened,
        error: saidOf(error, reader),
        refused: refusedOf(guarded.body, { ...opened, corrected }, faults, reader, { isTold }),
      }
      const routed = requestOf(request, reply, visitor)
      const { correctionsPage, pages } = services
      const shown = { request, reply, routed, about, visitor }
      return sendPage(pages, correctionsPage, shown, { status: error.status })
    },
  })
}

function saidOf(error: AppError, reader: Reader): string {
  if (error instanceof CorrectionConflict) return conflictText(error, reader)
  const message = error instanceof CorrectionsRefused ? null : error.messageFor(reader)
  return [message, error.detailFor(reader)].filter(Boolean).join(' ')
}

/** Throws `FORBIDDEN` for everybody but administrators. */
function aboutOf(
  services: CorrectionsRoutes,
  { request, reply, visitor, body }: Guarded<CorrectionForm>,
) {
  const { actor } = visitor
  if (actor.role !== 'admin') throw new AppError('FORBIDDEN')
  const { params } = requestOf(request, reply, visitor)
  const table = tableIn({ table: params['table'] ?? '' })
  return openCorrecting(services.catalog(), actor, table, body.column ?? null)
}

const takenBack = (
  table: string,
  [column, part, at]: NonNullable<CorrectionForm['back']>,
): CorrectionChange => ({
  ...{ table, column, part, value: undefined },
  isSeen: (stored) => stored?.at === at,
})

function changesOf(services: CorrectionsRoutes, guarded: Guarded<CorrectionForm>) {
  const about = aboutOf(services, guarded)
  const { corrected } = services.catalog()
  const table = about.open.definition.table.name
  const { back } = guarded.body
  const changes: CorrectionChange[] = back
    ? [takenBack(table, back)]
    : changesIn(guarded.body, { ...about, corrected })
  return { ...about, changes }
}
