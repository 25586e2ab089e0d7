/** The field for a file of a row: the file that is stored, and the one that takes its place once the row is saved. */

import { useEffect, useState } from 'react'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import type { FieldControl, FieldInput, FormComponent } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useUpload } from '../../react/use-upload.ts'
import { Shown } from '../parts/plain-text.tsx'
import type { InputFacts, Standing } from '../upload/create-pond.ts'
import type { FieldFile } from '../upload/field-file.ts'
import { UploadBox } from '../upload/upload-box.tsx'
import type { ArrivingFile } from './use-arriving.ts'

export type FileInputProps = {
  /** Id of the form's component. */
  component: string
  field: FieldInput
  control: Extract<FieldControl, { is: 'file' }>
  /** The path of the file that was uploaded, what is stored, or `null`. */
  text: string | null
  /** The name of the file that was uploaded. */
  label: string | null | undefined
  change(path: string | null, name?: string): void
  take(): void
  /** What has become of a file that is on its way. */
  setArriving(column: string, as: ArrivingFile | null): void
  /** For the element that takes the file. */
  input: InputFacts
}

export function FileInput(props: FileInputProps) {
  const { component, field, control, text, label, change, take, setArriving, input } = props
  const { name, text: stored, nullable } = field
  const words = uploadWordsFor(usePage().language)
  const upload = useUpload<FormComponent>(component, `files.${name}`, {
    on: { finish: ({ path, file }) => path !== undefined && change(path, file.name) },
  })
  const [standing, setStanding] = useState<Standing>({ failed: 0, awaited: null })
  const isNew = text !== null && text !== stored
  useEffect(() => {
    setArriving(name, arrivingAs(standing, upload.items[0]?.progress ?? 0))
  }, [setArriving, name, standing, upload.items])
  useEffect(() => () => setArriving(name, null), [setArriving, name])
  return (
    <div className="form-upload">
      {text === null && stored !== null && control.stored && (
        <p className="upload-gone">
          <Shown text={words.removing(control.stored.name)} />{' '}
          <button type="button" className="plain" onClick={putBack}>
            {words.putBack}
          </button>
        </p>
      )}
      <UploadBox
        {...{ upload, input }}
        replaces
        files={filesOf()}
        accept={control.accept}
        maxBytes={control.maxBytes}
        onStands={setStanding}
        onChange={(paths) => {
          if (paths.length > 0) return
          if (isNew) take()
          else change(null)
        }}
      />
      <noscript>
        <p className="hint">{words.noScript}</p>
      </noscript>
    </div>
  )

  function filesOf(): readonly FieldFile[] {
    if (isNew) {
      const arrived = upload.files.find(({ path }) => path === text)
      // One of a draft has arrived on another page.
      return [
        { path: text, name: label ?? words.unnamed, type: '', ...arrived, note: words.notSaved },
      ]
    }
    return text === null || !control.stored
      ? []
      : [{ ...control.stored, path: text, isKept: !nullable }]
  }

  /** The button goes, and would take the focus with it. */
  function putBack(): void {
    take()
    document.getElementById(input.id)?.focus()
  }
}

const arrivingAs = ({ failed, awaited }: Standing, percent: number): ArrivingFile | null =>
  awaited !== null
    ? { is: 'sending', name: awaited, percent }
    : failed > 0
      ? { is: 'failed', count: failed }
      : null
