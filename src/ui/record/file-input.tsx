/** The field for files of a row: those that are stored, and those that are stored once the row is saved. */

import { useEffect, useState } from 'react'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import type { FieldInput, FormComponent, StoredFile } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useUpload } from '../../react/use-upload.ts'
import { Shown } from '../parts/plain-text.tsx'
import type { InputFacts, Standing } from '../upload/create-pond.ts'
import type { FieldFile } from '../upload/field-file.ts'
import { UploadBox } from '../upload/upload-box.tsx'
import { type FileControl, labelFor, namesIn, pathsIn, textFor } from './field-files.ts'
import type { ArrivingFile } from './use-arriving.ts'

export type FileInputProps = {
  /** Id of the form's component. */
  component: string
  field: FieldInput
  control: FileControl
  /** The path of the file that was uploaded, what is stored, or `null`; of a list, the JSON of some. */
  text: string | null
  /** The names of the files, a line each. */
  label: string | null | undefined
  change(text: string | null, label?: string): void
  take(): void
  /** What has become of a file that is on its way. */
  setArriving(column: string, as: ArrivingFile | null): void
  /** For the element that takes the file. */
  input: InputFacts
}

export function FileInput(props: FileInputProps) {
  const { component, field, control, text, label, change, take, setArriving, input } = props
  const { name, text: stored, nullable } = field
  const { isList = false, maxFiles } = control
  const { language, locale } = usePage()
  const words = uploadWordsFor(language)
  const upload = useUpload<FormComponent>(component, `files.${name}`, {
    multiple: isList,
    // A list is told whole by the widget.
    on: { finish: ({ path, file }) => path !== undefined && !isList && put([path], file.name) },
  })
  const [standing, setStanding] = useState<Standing>({ failed: 0, awaited: null })
  const all = { text: stored, control }
  const paths = pathsIn(all, text)
  const names = namesIn(label)
  useEffect(() => {
    setArriving(name, arrivingAs(standing, upload.items[0]?.progress ?? 0))
  }, [setArriving, name, standing, upload.items])
  useEffect(() => () => setArriving(name, null), [setArriving, name])
  return (
    <div className="form-upload">
      {isList && maxFiles !== undefined && (
        <p className="hint upload-count">
          {words.count(paths.length.toLocaleString(locale), maxFiles.toLocaleString(locale))}
        </p>
      )}
      {control.stored.filter(isTakenOut).map((file) => (
        <p key={file.path} className="upload-gone">
          <Shown text={words.removing(file.name)} />{' '}
          <button type="button" className="plain" onClick={() => putBack(file)}>
            {words.putBack}
          </button>
        </p>
      ))}
      <UploadBox
        // The order is that of the row, which its text holds.
        upload={{ ...upload, order: async () => {} }}
        {...{ input, maxFiles }}
        multiple={isList}
        replaces={!isList}
        files={paths.map(fileAt)}
        accept={control.accept}
        maxBytes={control.maxBytes}
        onStands={setStanding}
        onChange={(now) => {
          if (isList || now.length === 0) put(isList || text === stored ? now : null)
        }}
      />
      <noscript>
        <p className="hint">{words.noScript}</p>
      </noscript>
    </div>
  )

  function fileAt(path: string, at: number): FieldFile {
    const kept = control.stored.find((one) => one.path === path)
    if (kept && text !== null) return { ...kept, isKept: !isList && !nullable }
    const arrived = upload.files.find((one) => one.path === path)
    // One of a draft has arrived on another page.
    return {
      ...{ path, name: names[at] ?? words.unnamed, type: '', ...arrived, note: words.notSaved },
    }
  }

  /** `null`: what is stored comes back. */
  function put(now: readonly string[] | null, called?: string): void {
    const next = now && textFor(all, now)
    if (now === null || next === stored) return take()
    change(next, labelFor(now.map((path) => called ?? nameOf(path))) || undefined)
  }

  function nameOf(path: string): string {
    const one = [...control.stored, ...upload.files].find((file) => file.path === path)
    return one?.name ?? names[paths.indexOf(path)] ?? words.unnamed
  }

  /** One that is replaced is not told: the other one stands in its place. */
  function isTakenOut({ path }: StoredFile): boolean {
    return !paths.includes(path) && (isList || paths.length === 0)
  }

  /** The button goes, and would take the focus with it. */
  function putBack(file: StoredFile): void {
    put(isList ? paths.toSpliced(control.stored.indexOf(file), 0, file.path) : null)
    document.getElementById(input.id)?.focus()
  }
}

const arrivingAs = ({ failed, awaited }: Standing, percent: number): ArrivingFile | null =>
  awaited !== null
    ? { is: 'sending', name: awaited, percent }
    : failed > 0
      ? { is: 'failed', count: failed }
      : null
