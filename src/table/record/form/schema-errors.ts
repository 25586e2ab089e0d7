/** What the schema has against a row that a form is about to write, beside what cannot be read at all. */

import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { problemText } from '../../changes/problem-text.ts'
import { problemsOfRow } from '../../changes/value-rules.ts'
import type { RowChange } from '../../source/write-unit.ts'

/** Sentences by column; those about no column that the person may see stand under `''`. */
export type FieldErrors = { [column: string]: string[] }

/** The errors of texts that could not be read, and the schema's at all other fields: a person learns of both at once. */
export function withSchemaErrors(
  { access, definition }: OpenTable,
  row: RowChange,
  unread: FieldErrors,
  reader: Reader,
): FieldErrors {
  const errors = { ...unread }
  for (const problem of problemsOfRow(access.table, row)) {
    if (problem.columns.some((name) => Object.hasOwn(unread, name))) continue
    const columns = problem.columns.filter((name) => access.canRead(name))
    const [at = ''] = columns
    errors[at] = [...(errors[at] ?? []), problemText({ ...problem, columns }, definition, reader)]
  }
  return errors
}
