/** Chooses a file or takes one that is dropped, and shows how far it is: with keys, a finger or a mouse. */

import { type DragEvent, useState } from 'react'
import { fileSize } from '../../protocol/file-size.ts'
import type { ReactUpload } from '../../react/use-upload.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import type { FileControl, FileInputProps } from './file-input.tsx'
import { FileRow, FileSign } from './stored-file.tsx'

type Words = FileControl['words']

export type FileFieldProps = {
  upload: ReactUpload
  control: FileControl
  input: FileInputProps['input']
  /** The file that has arrived and is not saved. */
  added: { name: string; size: number | undefined } | null
  /** The name of the stored file that goes once the row is saved. */
  removed: string | null
  /** Takes the added file away. */
  remove: () => void
  /** Takes back that the stored file goes. */
  putBack: () => void
}

export function FileField({
  upload,
  control,
  input,
  added,
  removed,
  remove,
  putBack,
}: FileFieldProps) {
  const { words, accept, stored } = control
  const { locale } = usePage()
  const { items } = upload
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<{ name: string; why: string } | null>(null)
  const focusInput = () => document.getElementById(input.id)?.focus()
  /** One file takes the place of the other. */
  const add = (files: FileList | null) => {
    const [file] = files ?? []
    if (!file) return
    for (const { id } of items) upload.cancel(id)
    const why = whyNot(file, control)
    setRefused(why === null ? null : { name: file.name, why })
    // The server checks it again; a file that it would refuse is not sent.
    if (why === null) upload.add([file])
  }
  const drag = (over: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(over)
  }
  return (
    <>
      {added && (
        <FileRow
          sign={<FileSign />}
          name={<Shown text={added.name} />}
          about={
            <p className="hint">
              {added.size !== undefined && `${fileSize(added.size, locale)}, `}
              {words['notSaved']}
            </p>
          }
        >
          <button
            type="button"
            className="btn icon"
            aria-label={say(words['remove'], added.name)}
            onClick={() => {
              remove()
              focusInput()
            }}
          >
            <Icon name="close" />
          </button>
        </FileRow>
      )}
      {removed !== null && (
        <p className="file-gone">
          <Shown text={say(words['removing'], removed)} />{' '}
          <button
            type="button"
            className="plain"
            onClick={() => {
              putBack()
              focusInput()
            }}
          >
            {words['putBack']}
          </button>
        </p>
      )}
      {refused && (
        <FileRow
          sign={<Icon name="warning" />}
          name={<Shown text={refused.name} />}
          about={
            <p className="err" role="alert">
              {refused.why}
            </p>
          }
        >
          <button
            type="button"
            className="btn icon"
            aria-label={say(words['remove'], refused.name)}
            onClick={() => {
              setRefused(null)
              focusInput()
            }}
          >
            <Icon name="close" />
          </button>
        </FileRow>
      )}
      {items.map((item) => (
        <Arriving key={item.id} {...{ item, upload, words, focusInput }} />
      ))}
      <div
        className={isOver ? 'file-drop over' : 'file-drop'}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event)
          add(event.dataTransfer.files)
        }}
      >
        <Icon name="up" />
        <span>{stored || added ? words['dropOther'] : words['drop']}</span>
        <span className="link" aria-hidden="true">
          {words['choose']}
        </span>
        <input
          {...input}
          type="file"
          className="in"
          accept={accept}
          aria-invalid={
            input['aria-invalid'] ?? (refused !== null || items.some(hasFailed) || undefined)
          }
          onChange={({ currentTarget }) => {
            add(currentTarget.files)
            // The same file can be chosen again.
            currentTarget.value = ''
          }}
        />
      </div>
    </>
  )
}

/** Why a file is not taken, in words; `null` if it may be. */
function whyNot({ name, size }: File, { accept, maxBytes, words }: FileControl): string | null {
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? ''
  if (!accept.split(',').includes(ending)) return words['otherType'] ?? ''
  return size > maxBytes ? (words['tooLarge'] ?? '') : null
}

type Item = ReactUpload['items'][number]

const hasFailed = ({ status }: Item) => status === 'failed'

type ArrivingProps = { item: Item; upload: ReactUpload; words: Words; focusInput(): void }

function Arriving({ item, upload, words, focusInput }: ArrivingProps) {
  const { locale } = usePage()
  const { id, file, progress, messages } = item
  const { name, size } = file
  const cancel = () => {
    upload.cancel(id)
    focusInput()
  }
  if (hasFailed(item))
    return (
      <FileRow
        sign={<Icon name="warning" />}
        name={<Shown text={name} />}
        about={
          <p className="err" role="alert">
            {messages.length === 0 ? words['broken'] : messages.join(' ')}
          </p>
        }
      >
        <button
          type="button"
          className="btn line"
          aria-label={say(words['retryOf'], name)}
          onClick={() => {
            upload.retry(id)
            focusInput()
          }}
        >
          {words['retry']}
        </button>
        <button
          type="button"
          className="btn icon"
          aria-label={say(words['remove'], name)}
          onClick={cancel}
        >
          <Icon name="close" />
        </button>
      </FileRow>
    )
  return (
    <FileRow
      sign={<FileSign />}
      name={<Shown text={name} />}
      about={
        <div className="file-progress">
          <progress aria-label={say(words['sending'], name)} value={progress} max={100} />
          <span className="hint">
            {say(words['sent'], fileSize((size * progress) / 100, locale), fileSize(size, locale))}
          </span>
        </div>
      }
    >
      <button
        type="button"
        className="btn"
        aria-label={say(words['cancelOf'], name)}
        onClick={cancel}
      >
        {words['cancel']}
      </button>
    </FileRow>
  )
}
