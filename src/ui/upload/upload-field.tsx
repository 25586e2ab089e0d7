/** A field for files: FilePond, which is loaded once the field is drawn, around the uploads of a component. */

import {
  type ChangeEvent,
  type ClipboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { usePage } from '../../react/use-component.ts'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import { loadOnce } from '../load-once.ts'
import { FieldNotes, notesOf } from '../parts/field.tsx'
import { useLoaded } from '../use-loaded.ts'
import type { Pond, PondEvents, PondOptions } from './create-pond.ts'
import { type FieldFile, mostFiles, takesPictures } from './field-file.ts'
import type { UploadHandle, UploadServer } from './send-file.ts'

export type UploadFieldProps = {
  readonly label: string
  /** Id of what labels the field, if that stands elsewhere. Default: `label` is shown above it. */
  readonly labelledBy?: string
  /** What `useUpload` returned. */
  readonly upload: UploadHandle
  /** The files to show. Default: those of `upload`, which have arrived. */
  readonly files?: readonly FieldFile[]
  /** Types such as `image/png` or `image/*`. Default: any; the server decides. */
  readonly accept?: readonly string[]
  /** Most bytes of one file. Default: any; the server decides. */
  readonly maxBytes?: number
  /** Whether several files are taken. Default: false. */
  readonly multiple?: boolean
  /** Most files. Default: 1, or 1,000,000 with `multiple`. */
  readonly maxFiles?: number
  /** Name of the field in its form, for the paths of uploads. Default: none. */
  readonly name?: string
  readonly disabled?: boolean
  readonly required?: boolean
  readonly hint?: string
  readonly error?: string | undefined
  /** Whether addresses are taken by drop and paste, whose files the server fetches: `fetchFrom`. Default: false. */
  readonly takesAddresses?: boolean
  /** FilePond's own endpoints, which take the place of the component's calls. Default: none. */
  readonly server?: UploadServer
  /** The person has added, removed or moved files: the paths of all that are there, in order. */
  onChange?(paths: readonly string[]): void
}

const pondLoader = loadOnce(() => import('./create-pond.ts'))

const NO_SERVER: UploadServer = {}

/**
 * A field for files, around the uploads to a property of a component. Without script it is a plain input.
 *
 * @example
 * const photos = useUpload<typeof report>(id, 'photos', { multiple: true })
 * return <UploadField label="Photos" upload={photos} accept={['image/jpeg']} multiple maxFiles={4} />
 */
export function UploadField(props: UploadFieldProps) {
  const { label, labelledBy, upload, files = upload.files, hint, error } = props
  const { language, locale } = usePage()
  const words = uploadWordsFor(language)
  const id = useId()
  const limits = { ...props, multiple: props.multiple ?? false }
  const most = mostFiles(limits)
  const [refused, setRefused] = useState(0)
  const [said, setSaid] = useState('')
  const { box, pond } = usePond(
    {
      ...limits,
      ...{ upload, server: props.server ?? NO_SERVER, name: props.name ?? '' },
      takesAddresses: props.takesAddresses ?? props.server?.fetch !== undefined,
      ...{ isDisabled: props.disabled ?? false, isRequired: props.required ?? false },
      labelledBy: labelledBy ?? `${id}-label`,
      describedBy: notesOf(id, { hint, error }),
      tooMany: setRefused,
      changed(paths) {
        setRefused(0)
        props.onChange?.(paths)
      },
      moved(paths) {
        const uploads = new Set(upload.files.map(({ path }) => path))
        const order = paths.filter((path) => uploads.has(path))
        // The page says what went wrong; the files go back.
        upload.order(order).catch(() => pond.current?.show(files))
      },
      say: setSaid,
    },
    files,
  )
  const number = (value: number) => value.toLocaleString(locale)
  const add = (list: FileList | null) => {
    if (list && list.length > 0) pond.current?.add([...list])
  }
  const paste = (event: ClipboardEvent) => {
    const { files: pasted } = event.clipboardData
    const text = event.clipboardData.getData('text/plain').trim()
    const isAddress = props.takesAddresses && /^https:\/\/\S+$/.test(text)
    if (props.disabled || (pasted.length === 0 && !isAddress)) return
    event.preventDefault()
    if (pasted.length > 0) add(pasted)
    else pond.current?.add([text])
  }
  const fromCamera = ({ target }: ChangeEvent<HTMLInputElement>) => {
    add(target.files)
    target.value = ''
  }
  return (
    <div className="field upload" onPaste={paste}>
      {labelledBy === undefined && (
        <div className="upload-head">
          <label id={`${id}-label`} htmlFor={id}>
            {label}
          </label>
          <span className="hint">
            {most === 1
              ? words.oneFile
              : props.maxFiles !== undefined && words.count(number(files.length), number(most))}
          </span>
        </div>
      )}
      <div role="alert" className="upload-warning">
        {refused > 0 && (
          <p>
            <strong>{words.maxFiles(number(most))}</strong>{' '}
            {refused === 1 ? words.noneAdded.one : words.noneAdded.many(number(refused))}
          </p>
        )}
      </div>
      <div className="upload-box" ref={box} />
      {!pond.current && (
        <input
          id={id}
          type="file"
          className="in"
          multiple={limits.multiple}
          accept={props.accept?.join(',')}
          name={props.name}
          disabled={props.disabled}
          aria-labelledby={labelledBy}
          aria-describedby={notesOf(id, { hint, error })}
          onChange={({ target }) => upload.add(target.files ?? [])}
        />
      )}
      {takesPictures(limits) && !props.disabled && (
        <label className="btn line upload-camera">
          <input
            type="file"
            className="sr"
            accept="image/*"
            capture="environment"
            onChange={fromCamera}
          />
          {words.camera}
        </label>
      )}
      <span role="status" className="sr">
        {said}
      </span>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

/** FilePond in an element, once it has come; it is told what React has drawn. */
function usePond(options: PondOptions & PondEvents, files: readonly FieldFile[]) {
  const part = useLoaded(pondLoader)
  const { language, locale } = usePage()
  const box = useRef<HTMLDivElement>(null)
  const pond = useRef<Pond>(undefined)
  const latest = useRef(options)
  const [, drawAgain] = useState(false)
  useEffect(() => {
    latest.current = options
    pond.current?.update()
  })
  useEffect(() => {
    if (!part || !box.current) return
    const made = part.createPond(box.current, { language, locale }, () => latest.current)
    pond.current = made
    drawAgain((was) => !was)
    return () => {
      made.close()
      pond.current = undefined
    }
  }, [part, language, locale])
  const shown = files.map(({ path }) => path).join('\n')
  const show = useEffectEvent(() => pond.current?.show(files))
  // Other facts of the same files change nothing that is shown.
  useEffect(() => show(), [shown, part])
  return { box, pond }
}
