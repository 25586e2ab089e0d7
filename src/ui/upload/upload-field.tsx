/** A field for files: FilePond, which is loaded once the field is drawn, around the uploads of a component. */

import { useId } from 'react'
import { usePage } from '../../react/use-component.ts'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import { FieldNotes, notesOf } from '../parts/field.tsx'
import { mostFiles } from './field-file.ts'
import { UploadBox, type UploadBoxProps } from './upload-box.tsx'

export type UploadFieldProps = UploadBoxProps & {
  readonly label: string
  /** Id of what labels the field, if that stands elsewhere. Default: `label` is shown above it. */
  readonly labelledBy?: string
  readonly hint?: string
  readonly error?: string | undefined
}

/**
 * A field for files, around the uploads to a property of a component. Without script it is a plain input.
 *
 * @example
 * const photos = useUpload<typeof report>(id, 'photos', { multiple: true })
 * return <UploadField label="Photos" upload={photos} accept={['image/jpeg']} multiple maxFiles={4} />
 */
export function UploadField({ label, labelledBy, hint, error, ...props }: UploadFieldProps) {
  const { language, locale } = usePage()
  const words = uploadWordsFor(language)
  const id = useId()
  const { upload, files = upload.files, maxFiles, multiple = false } = props
  const most = mostFiles({ multiple, maxFiles })
  const number = (value: number) => value.toLocaleString(locale)
  return (
    <div className="field upload">
      {labelledBy === undefined && (
        <div className="upload-head">
          <label id={`${id}-label`} htmlFor={id}>
            {label}
          </label>
          <span className="hint">
            {most === 1
              ? words.oneFile
              : maxFiles !== undefined && words.count(number(files.length), number(most))}
          </span>
        </div>
      )}
      <UploadBox
        {...props}
        input={{
          ...{ id, 'aria-labelledby': labelledBy ?? `${id}-label` },
          'aria-describedby': notesOf(id, { hint, error }),
          'aria-invalid': error ? true : undefined,
        }}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}
