/** A form as it is drawn: the fields of a row, or those of a new one. */

import { messagesFor } from '../../../messages/messages.ts'
import type { FieldInput, FormView } from '../../../protocol/form-view.ts'
import { fileHref, recordHref } from '../../../protocol/record-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { readOnlyReason } from '../../list/read-only.ts'
import type { Values } from '../../source/write-unit.ts'
import { fieldSections } from '../field-sections.ts'
import { drawSections, type FoundSections } from './draw-sections.ts'
import { drawFields } from './field.ts'
import { emptyRow, notShown } from './not-shown.ts'

export const NOTHING_FOUND: FoundSections = { lines: [], links: [] }

type Drawn = {
  /** The row; `null` for a new one. */
  readonly key: string | null
  /** `undefined` if the row is gone. */
  readonly values: Values | undefined
  /** Those of related rows. */
  readonly labels: ReadonlyMap<string, string | null>
  /** Its lines and links. */
  readonly sections: FoundSections
  /** Those of the row that a new one is a copy of. */
  readonly copies?: FoundSections | undefined
  /** Whether it stands beside another form, so that it creates no further rows. */
  readonly isRelated?: boolean
}

export function drawForm(
  open: OpenTable,
  { key, values, labels, sections: found, copies, isRelated = false }: Drawn,
  reader: Reader,
  href: (table: string) => string,
): FormView {
  const { definition, access } = open
  const { form } = messagesFor(reader.language)
  const isNew = key === null
  const list = href(access.table.name)
  const addressOf = (column: string, id?: string) =>
    isNew ? undefined : fileHref(list, key, column, id)
  const drawn = drawFields(
    open,
    {
      values: values ?? {},
      isNew,
      // What a copy leaves out gets its default.
      amounts: isNew ? { ...emptyRow(open), ...withoutNulls(values ?? {}) } : values,
      labels,
      isRelated,
      ...(!isRelated && { fileHref: addressOf }),
    },
    reader,
  )
  const fields = drawn.flatMap((one) => ('input' in one ? [one.input] : []))
  const isNamed = (name: string) => !access.table.key.includes(name)
  const isOther = ({ name }: FieldInput) => isNamed(name)
  const mayCreate = access.may('create')
    ? readOnlyReason(open, reader, 'create')
    : form.mayNotCreate
  return {
    table: access.table.name,
    draftsOf: access.actor.id,
    tableLabel: definition.label,
    title: isNew ? form.newTitle(definition.label) : form.editTitle(definition.label),
    isNew,
    // What names the row is seldom what is to be changed.
    fields: isNew ? fields : [...fields.filter(isOther), ...fields.filter((one) => !isOther(one))],
    fixed: drawn.flatMap((one) => ('fixed' in one ? [one.fixed] : [])),
    sections: fieldSections(open, reader).map((section) => ({
      ...section,
      // Those that are declared stay as they are.
      fields: isNew || definition.form?.sections ? section.fields : section.fields.filter(isNamed),
    })),
    ...drawSections({ row: isNew ? null : (values ?? null), found, copies, href, reader }),
    notShown: definition.form?.shown
      ? notShown(open, { ...(isNew && emptyRow(open)), ...values })
      : null,
    obstacle: isNew ? mayCreate : readOnlyReason(open, reader),
    backHref: isNew ? list : recordHref(list, key, ''),
    isGone: values === undefined,
  }
}

const withoutNulls = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
