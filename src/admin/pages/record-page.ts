/** The page of one row. */

import { AppError } from '../../server/app-error.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { createRecordComponent } from '../../table/record/component.ts'
import { PATHS } from '../addresses.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import { checkLength } from './list-page.ts'
import { page } from './page.ts'

export type RecordPageServices = {
  catalog(): Catalog
  readonly record: ReturnType<typeof createRecordComponent>
}

/** What is not there and what may not be seen are answered alike: `NOT_FOUND`, and nothing else. */
export const createRecordPage = ({ catalog, record }: RecordPageServices) =>
  page(PATHS.record, {
    name: 'record',
    open({ actor, params, url }) {
      const { definition } = catalog().open(actor, params.table)
      checkLength(url)
      return definition
    },
    components: ({ params: { table, key } }) => ({ record: record.with({ table, key }) }),
    title: ({ views }) => shown(views.record).label,
    current: ({ params }) => params.table,
    breadcrumbs({ opened, views }) {
      const { label, listHref } = shown(views.record)
      // The list before the row is the one that they came from.
      return [...tableBreadcrumbs(opened, listHref), { label }]
    },
  })

/** The row, where there is one: without it the view has no label. */
function shown<View extends { label: string | null }>(
  view: View,
): Extract<View, { label: string }> {
  if (view.label === null) throw new AppError('NOT_FOUND')
  return view as Extract<View, { label: string }>
}
