/** The page of one row. */

import type { GoneView, RecordView } from '../../protocol/record-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { History } from '../../table/history/component.ts'
import type { Form } from '../../table/record/form/component.ts'
import type { createRecordComponent } from '../../table/record/component.ts'
import { PATHS } from '../addresses.ts'
import type { createPresenceComponent } from '../realtime/presence-component.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import { checkLength, tableIn } from './list-page.ts'
import type { OpenedForm } from './opened-form.ts'
import { page } from './page.ts'

export type RecordPageServices = {
  catalog(): Catalog
  readonly record: ReturnType<typeof createRecordComponent>
  readonly form: Form
  /** The changes to the record; absent where no history is kept. */
  readonly history?: History | undefined
  /** Tells who else is on the record; absent where nothing is live. */
  readonly presence?: ReturnType<typeof createPresenceComponent> | undefined
}

export type RecordPage = ReturnType<typeof createRecordPage>

/** A missing row and a forbidden one get the same `NOT_FOUND`. */
export const createRecordPage = ({
  catalog,
  record,
  form,
  presence,
  history,
}: RecordPageServices) =>
  page(PATHS.record, {
    name: 'record',
    open({ actor, params, url }): OpenedForm {
      const { definition } = catalog().open(actor, tableIn(params))
      checkLength(url)
      return { definition, posted: null }
    },
    data: ({ opened: { posted } }) => posted,
    components({ opened, params: { key }, query }) {
      const { table } = opened.definition
      const asked = {
        ...(query.get('delete') === 'on' && { isDeleting: true }),
        ...(query.get('whole') === 'on' && { isWhole: true }),
      }
      return {
        record: record.with({ table: table.name, key, ...asked }),
        ...(query.get('edit') === 'on' && {
          form: form.with({ table: table.name, key, copyOf: null, preset: {} }),
        }),
        ...(presence && { presence: presence.with({ table: table.name, key }) }),
        ...(history && { history: history.with({ record: { table: table.name, key } }) }),
      }
    },
    title: ({ views }) => shown(views.record).label,
    current: ({ opened }) => opened.definition.table.name,
    breadcrumbs({ opened, views }) {
      const { label, listHref } = shown(views.record)
      // Links to the list that the person came from.
      return [...tableBreadcrumbs(opened.definition, listHref), { label }]
    },
  })

/** The view of a row that exists: without one, the view has no label. */
function shown(view: RecordView | GoneView): RecordView {
  if (view.label === null) throw new AppError('NOT_FOUND')
  return view
}
