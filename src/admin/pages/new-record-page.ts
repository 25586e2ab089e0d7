/** The page on which a row is created: empty, as a copy of another one, or with what a relation gives. */

import { messagesFor } from '../../messages/messages.ts'
import { AppError } from '../../server/app-error.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { Form } from '../../table/record/form/component.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { tableBreadcrumbs } from './breadcrumbs.ts'
import { checkLength, tableIn } from './list-page.ts'
import type { OpenedForm } from './opened-form.ts'
import { page } from './page.ts'

export type NewRecordPageServices = {
  catalog(): Catalog
  readonly addresses: Addresses
  readonly form: Form
}

/** Values that a new row begins with stand in the address as `set.<column>`. */
const PRESET = 'set.'

export type NewRecordPage = ReturnType<typeof createNewRecordPage>

export const createNewRecordPage = ({ catalog, addresses, form }: NewRecordPageServices) =>
  page(PATHS.newRecord, {
    name: 'new-record',
    open({ actor, params, url }): OpenedForm {
      const { definition, access } = catalog().open(actor, tableIn(params))
      checkLength(url)
      if (!access.may('create')) throw new AppError('FORBIDDEN')
      return { definition, posted: null }
    },
    data: ({ opened: { posted } }) => posted,
    components: ({
      opened: {
        definition: { table },
      },
      query,
    }) => ({
      form: form.with({
        ...{ table: table.name, key: null, copyOf: query.get('copy') },
        preset: Object.fromEntries(
          [...query].flatMap(([name, text]) =>
            name.startsWith(PRESET) ? [[name.slice(PRESET.length), text]] : [],
          ),
        ),
      }),
    }),
    title: ({ opened, language }) => messagesFor(language).form.newTitle(opened.definition.label),
    current: ({ opened }) => opened.definition.table.name,
    breadcrumbs: ({ opened, language }) => [
      ...tableBreadcrumbs(opened.definition, addresses.list(opened.definition.table.name)),
      { label: messagesFor(language).form.newTitle(opened.definition.label) },
    ],
  })
