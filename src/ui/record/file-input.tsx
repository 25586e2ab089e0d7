/** The field for a file: the one that is stored is drawn at once, and what changes it is loaded later. */

import { useId } from 'react'
import type { FieldControl, FieldInput } from '../../protocol/form-view.ts'
import { laterPart } from '../later-part.tsx'
import { StoredFileRow } from './stored-file.tsx'

export type FileControl = Extract<FieldControl, { is: 'file' }>

export type FileInputProps = {
  /** Id of the form's component. */
  component: string
  field: FieldInput
  control: FileControl
  /** The path of the file that was uploaded, what is stored, or `null`. */
  text: string | null
  /** The name of the file that was uploaded. */
  label: string | null | undefined
  change(path: string | null, name?: string): void
  take(): void
  /** What has become of a file that is on its way. */
  setArriving(column: string, as: 'sending' | 'failed' | null): void
  /** For the element that takes the file. */
  input: {
    id: string
    'aria-label': string | undefined
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
    'aria-required': true | undefined
  }
}

const FormFile = laterPart(async () => (await import('./form-file.tsx')).FormFile)

export function FileInput(props: FileInputProps) {
  const { field, control, text } = props
  const takes = useId()
  const { stored, words } = control
  const describedBy = [takes, props.input['aria-describedby']].filter(Boolean).join(' ')
  return (
    <div className="file-field">
      {text !== null && text === field.text && stored && (
        <StoredFileRow
          {...{ stored, words }}
          remove={field.nullable ? () => props.change(null) : undefined}
        />
      )}
      <FormFile {...props} input={{ ...props.input, 'aria-describedby': describedBy }} />
      <p id={takes} className="hint">
        {control.takes}
        <noscript> {words['noScript']}</noscript>
      </p>
    </div>
  )
}
