/** The page on which administrators correct what is inferred of a table, and of its columns. */

import { messagesFor } from '../../messages/messages.ts'
import type { CorrectionsView } from '../../protocol/corrections-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import { templates } from '../../table/templates.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import type { CorrectionDesk } from '../corrections/corrections.ts'
import {
  type Correcting,
  drawCorrections,
  isOffered,
  type RefusedForm,
} from '../corrections/draw.ts'
import { foundValues } from '../corrections/found-values.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import type { Actor } from '../../server/actor.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import { tableIn } from './list-page.ts'
import { page } from './page.ts'

export type CorrectionsPages = {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly corrections: CorrectionDesk
  readonly source: RowSource
}

/** A table that is corrected, or a column of it. */
export type AboutCorrections = {
  readonly open: OpenTable
  readonly before: TableDefinition
  readonly column: string | null
  /** Why what was entered is refused. */
  readonly error: string | null
  /** What was entered, where it stays in its fields. */
  readonly refused?: RefusedForm
}

export type CorrectionsPage = ReturnType<typeof createCorrectionsPage>

/** Throws `NOT_FOUND` for a table or a column that the actor may not see. */
export function openCorrecting(
  catalog: Catalog,
  actor: Actor,
  table: string,
  column: string | null,
): AboutCorrections {
  const open = catalog.open(actor, table)
  const before = catalog.corrected.before(actor, table)
  const isThere = column === null || open.access.canShow(column)
  if (!before || !isThere) throw new AppError('NOT_FOUND')
  return { open, before, column, error: null }
}

/** The address of the page about a table, or about a column of it. */
export const correctionsAddress = (list: string, column: string | null): string => {
  const query = column === null ? '' : `?${new URLSearchParams({ column }).toString()}`
  return `${list}/corrections${query}`
}

const DONE = ['saved', 'back', 'none'] as const

export const createCorrectionsPage = ({
  catalog,
  addresses,
  corrections,
  source,
}: CorrectionsPages) =>
  page(PATHS.corrections, {
    name: 'corrections',
    authorize: ({ actor }) => actor.role === 'admin',
    open: ({ actor, params, query }): AboutCorrections =>
      openCorrecting(catalog(), actor, tableIn(params), query.get('column')),
    async data({ opened, query, signal, language, locale, timeZone }) {
      const { open, before, column, error, refused } = opened
      const { definition } = open
      const words = messagesFor(language).corrections
      const list = addresses.list(definition.table.name)
      const href = (name: string | null) => correctionsAddress(list, name)
      const done = DONE.find((one) => one === query.get('done'))
      const correcting: Correcting = {
        ...{ open, before, column, refused, href, reader: { language, locale, timeZone } },
        corrected: catalog().corrected,
        stored: await corrections.of(definition.table.name),
      }
      // Those of a key would be counted to the limit of time, and not be shown.
      const found =
        column !== null && isOffered('values', correcting)
          ? await foundValues(source, open, column, signal)
          : []
      const drawn = drawCorrections({ ...correcting, found })
      const view: CorrectionsView = {
        ...drawn,
        // An address that shows what is refused is that of the same page.
        action: href(column),
        whole: column === null ? null : { label: words.words.whole, href: href(null) },
        list: { label: words.words.cancel, href: list },
        done: done === undefined ? null : words.done[done],
        error,
      }
      return { view, words: templates(words.words) }
    },
    title: ({ opened: { open, column }, language }) => {
      const { definition } = open
      const about = column === null ? definition : definition.columns.get(column)
      return messagesFor(language).corrections.title(about?.label ?? '')
    },
    current: ({ opened }) => opened.open.definition.table.name,
    breadcrumbs({ opened: { open, column }, language }) {
      const { definition } = open
      const { title } = messagesFor(language).corrections
      const list = addresses.list(definition.table.name)
      const whole = { label: title(definition.label), href: correctionsAddress(list, null) }
      const label = definition.columns.get(column ?? '')?.label
      return [
        ...tableBreadcrumbs(definition, list),
        ...(label === undefined ? [{ label: whole.label }] : [whole, { label: title(label) }]),
      ]
    },
  })
