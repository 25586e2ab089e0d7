/** The file of a form's field on its way into the form: uploaded, told to the form, and saved with the row. */

import { useEffect } from 'react'
import type { FormComponent } from '../../protocol/form-view.ts'
import { useUpload } from '../../react/use-upload.ts'
import { FileField } from './file-field.tsx'
import type { FileInputProps } from './file-input.tsx'

export function FormFile({
  component,
  field: { name, text: stored },
  control,
  text,
  label,
  change,
  take,
  setArriving,
  input,
}: FileInputProps) {
  const upload = useUpload<FormComponent>(component, `files.${name}`, {
    on: { finish: ({ path, file }) => path !== undefined && change(path, file.name) },
  })
  const { items } = upload
  const arriving =
    items.length === 0
      ? null
      : items.every(({ status }) => status === 'failed')
        ? 'failed'
        : 'sending'
  useEffect(() => {
    setArriving(name, arriving)
    return () => setArriving(name, null)
  }, [setArriving, name, arriving])
  const isNew = text !== null && text !== stored
  const arrived = upload.files.find(({ path }) => path === text)
  return (
    <FileField
      {...{ upload, control, input }}
      added={isNew ? { name: arrived?.name ?? label ?? '…', size: arrived?.size } : null}
      removed={text === null && stored !== null ? (control.stored?.name ?? stored) : null}
      remove={drop}
      putBack={take}
    />
  )

  /** What is stored comes back. */
  function drop(): void {
    if (text !== null) void upload.remove(text)
    take()
  }
}
