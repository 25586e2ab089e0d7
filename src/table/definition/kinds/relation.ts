/** Columns that refer to a row of a table, shown by that row's label. */

import type { Column, ForeignKey, Table } from '../../source/schema.ts'
import { defineKind } from '../kind.ts'

/** The foreign key that consists of this column alone. */
export const linkOf = ({ name }: Column, { foreignKeys }: Table): ForeignKey | undefined =>
  foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === name)

export const relation = defineKind({
  name: 'relation',
  infer: [{ by: 'structure', when: [({ column, table }) => linkOf(column, table) !== undefined] }],
  check(column, table, report) {
    if (!linkOf(column, table))
      report('only a foreign key of one column can be shown as a relation.')
  },
  endings: ['id', 'code', 'key'],
})
