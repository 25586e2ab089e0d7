/** The text of a field as people know it: the name of a related row in place of its key, yes and no in words. */

import type { FieldInput } from '../../protocol/form-view.ts'
import type { PageMessages } from '../../messages/messages.ts'
import { namesIn } from './field-files.ts'

/** `label`: of the row that the text refers to, where it is another one than the field came with. */
export function shownText(
  { control, text: stored }: Pick<FieldInput, 'control' | 'text'>,
  text: string | null,
  { cell, editing }: Pick<PageMessages, 'cell' | 'editing'>,
  label?: string,
): string {
  if (text === null) return editing.noValue
  if (text === '') return cell.empty
  if (control.is === 'file') {
    const names = text === stored ? control.stored.map(({ name }) => name) : namesIn(label)
    return names.join(', ') || (control.isList ? editing.noValue : text)
  }
  if (label !== undefined) return label
  if (control.is === 'relation' && text === stored) return control.label ?? text
  if (control.is === 'choice') return control.labels?.[text] ?? text
  if (control.is === 'yes-no') return { true: cell.yes, false: cell.no }[text] ?? text
  return text
}
