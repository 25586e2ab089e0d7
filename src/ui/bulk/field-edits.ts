/** The fields that a person chooses to change for all selected rows, and how. */

import type { BulkField, EditHow, FieldEdit } from '../../protocol/plan-view.ts'
import type { BulkWords } from '../../messages/bulk/words.ts'
import type { FieldErrors } from './flow.ts'

/** Clearing is setting NULL; a person chooses between the two. */
export type Way = EditHow | 'clear'

/** What was entered stays while another way is looked at. */
export type ChosenField = {
  readonly name: string
  readonly way: Way
  /** The value or the text to work with; `null` until something is given. */
  readonly text: string | null
  /** Label of the related row that was chosen. */
  readonly label?: string | undefined
  /** What replaces the text. */
  readonly with: string
  /** The column to copy from. */
  readonly column: string
}

export const waysOf = ({ hows, nullable }: BulkField): Way[] =>
  hows.flatMap((how): Way[] => (how === 'set' && nullable ? ['set', 'clear'] : [how]))

export const NONE_CHOSEN: ChosenField = { name: '', way: 'set', text: null, with: '', column: '' }

export const chosenField = (field: BulkField): ChosenField => ({
  ...NONE_CHOSEN,
  ...{ name: field.name, way: waysOf(field)[0] ?? 'set' },
})

/** Ways for which nothing else is asked. */
export const isWhole = (way: Way): boolean => way === 'clear' || way === 'now'

/** The change that is meant; `null` while something is missing. */
function editOf({ way, text, column, ...chosen }: ChosenField): FieldEdit | null {
  switch (way) {
    case 'clear':
      return { how: 'set', text: null }
    case 'now':
      return { how: 'now' }
    case 'copy':
      return column === '' ? null : { how: 'copy', column }
    case 'set':
      return text === null ? null : { how: 'set', text }
    case 'replace':
      return text === null || text === '' ? null : { how: 'replace', text, with: chosen.with }
    default:
      return text === null || text === '' ? null : { how: way, text }
  }
}

type Asked = { readonly fields: { [column: string]: FieldEdit } }

/** What is asked of the server, or what is missing by field. */
export function askedOf(
  chosen: readonly ChosenField[],
  fields: readonly BulkField[],
  words: BulkWords['fields'],
): Asked | { readonly errors: FieldErrors } {
  if (chosen.length === 0) return { errors: { '': [words.nothing] } }
  const all = chosen.map((one) => ({ one, edit: editOf(one) }))
  const edits = all.flatMap(({ one, edit }) => (edit ? [[one.name, edit] as const] : []))
  if (edits.length === all.length) return { fields: Object.fromEntries(edits) }
  const missing = all.filter(({ edit }) => edit === null)
  const nullable = new Set(fields.filter((field) => field.nullable).map(({ name }) => name))
  return {
    errors: Object.fromEntries(
      missing.map(({ one }) => [one.name, [missingOf(one.way, nullable.has(one.name), words)]]),
    ),
  }
}

function missingOf(way: Way, isNullable: boolean, words: BulkWords['fields']): string {
  if (way === 'copy') return words.columnMissing
  if (way === 'replace') return words.textMissing
  return way === 'set' && isNullable ? words.valueMissing : words.valueNeeded
}
