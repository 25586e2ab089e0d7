/** What the changes of a form's sections have in common: whose they are, and what they are told by. */

import { messagesFor } from '../../../messages/messages.ts'
import type { SectionProblems } from '../../../protocol/form-sections.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import type { TableChange } from '../../changes/change.ts'
import type { ForeignKey } from '../../source/schema.ts'
import type { RowChange, Values } from '../../source/write-unit.ts'
import type { Readings } from './readings.ts'
import { referring, type SectionRow, type SectionSource } from './section-rows.ts'

export type SectionServices = {
  readonly source: SectionSource
  /** Who has changed these fields of a line, a sentence each. */
  authorsOf(
    open: OpenTable,
    row: SectionRow,
    columns: readonly string[],
  ): Promise<{ [column: string]: string }>
}

/** The row whose form it is; `row` is `null` for a new one, which the first table of the change inserts. */
export type Owner = {
  readonly open: OpenTable
  readonly row: Values | null
  readonly reader: Reader
  readonly readings?: Readings | undefined
}

/** The change of one section's table. */
export type SectionChange = {
  readonly change: Omit<TableChange, 'table'>
  /** The form's own name for what each row of the change is about. */
  readonly ids: readonly string[]
  readonly problems: SectionProblems[string]
}

/** A new row of the section: it refers to its owner, whose key may not be known yet. */
export const insertFor = ({ row }: Owner, link: ForeignKey, values: Values): RowChange =>
  row
    ? { insert: { ...values, ...referring(link, row) } }
    : {
        insert: values,
        keyOf: {
          ...{ part: 0, row: 0 },
          columns: Object.fromEntries(
            link.columns.map((name, at) => [name, link.references[at] ?? '']),
          ),
        },
      }

/** What there is to say of a section as a whole. */
export const sectionProblem = (sentence: string): SectionProblems[string] => ({
  '': { errors: { '': [sentence] }, conflicts: [] },
})

/** Rows that are too many for the form are not changed in it. */
export const tooManyHere = ({ reader }: Owner): SectionChange => ({
  ...{ change: {}, ids: [] },
  problems: sectionProblem(messagesFor(reader.language).form.tooManyHere),
})
