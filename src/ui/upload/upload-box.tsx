/** What an upload field is made of: its files, the drop zone, the camera, and FilePond once it has come. */

import {
  type ChangeEvent,
  type ClipboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { usePage } from '../../react/use-component.ts'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import { loadOnce } from '../load-once.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useLoaded } from '../use-loaded.ts'
import type { InputFacts, Pond, PondEvents, PondOptions, Standing } from './create-pond.ts'
import { factsText, type FieldFile, mostFiles, takesPictures } from './field-file.ts'
import type { UploadHandle, UploadServer } from './send-file.ts'

export type UploadBoxProps = {
  /** What `useUpload` returned. */
  readonly upload: UploadHandle
  /** The files to show. Default: those of `upload`, which have arrived. */
  readonly files?: readonly FieldFile[]
  /** Types such as `image/png` or `image/*`. Default: any; the server decides. */
  readonly accept?: readonly string[] | undefined
  /** Most bytes of one file. Default: any; the server decides. */
  readonly maxBytes?: number
  /** Whether several files are taken. Default: false. */
  readonly multiple?: boolean
  /** Most files. Default: 1, or 1,000,000 with `multiple`. */
  readonly maxFiles?: number | undefined
  /** Whether another file takes the place of the one that is there, once it has arrived. Default: false. */
  readonly replaces?: boolean
  /** Name of the field in its form, for the paths of uploads. Default: none. */
  readonly name?: string
  readonly disabled?: boolean
  readonly required?: boolean
  /** Whether addresses are taken by drop and paste, whose files the server fetches: `fetchFrom`. Default: false. */
  readonly takesAddresses?: boolean
  /** FilePond's own endpoints, which take the place of the component's calls. Default: none. */
  readonly server?: UploadServer
  /** The person has added, removed or moved files: the paths of all that are there, in order. */
  onChange?(paths: readonly string[]): void
}

type Props = UploadBoxProps & {
  /** Its `aria-invalid` is set besides where a file has failed. */
  readonly input: InputFacts
  /** What has become of the files that were added, each time that changes. */
  onStands?(standing: Standing): void
}

const pondLoader = loadOnce(() => import('./create-pond.ts'))

const NO_SERVER: UploadServer = {}

export function UploadBox({ upload, files = upload.files, input, ...props }: Props) {
  const { language, locale } = usePage()
  const words = uploadWordsFor(language)
  const limits = { ...props, multiple: props.multiple ?? false }
  const most = mostFiles(limits)
  const [tooMany, setTooMany] = useState(0)
  const [standing, setStanding] = useState<Standing>({ failed: 0, awaited: null })
  const [said, setSaid] = useState('')
  const facts = {
    ...input,
    'aria-invalid': input['aria-invalid'] ?? (standing.failed > 0 || undefined),
  }
  const { box, plain, pond } = usePond(
    {
      ...limits,
      ...{ upload, server: props.server ?? NO_SERVER, name: props.name ?? '' },
      takesAddresses: props.takesAddresses ?? props.server?.fetch !== undefined,
      ...{ isDisabled: props.disabled ?? false, isRequired: props.required ?? false },
      ...{ replaces: props.replaces ?? false, input: facts },
      tooMany: setTooMany,
      changed(paths) {
        setTooMany(0)
        props.onChange?.(paths)
      },
      moved(paths) {
        const uploads = new Set(upload.files.map(({ path }) => path))
        const order = paths.filter((path) => uploads.has(path))
        // The page says what went wrong; the files go back.
        upload.order(order).catch(() => pond.current?.show(files))
      },
      say: setSaid,
      stands(now) {
        if (now.failed === standing.failed && now.awaited === standing.awaited) return
        setStanding(now)
        props.onStands?.(now)
      },
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
    <div className="upload-parts" onPaste={paste}>
      <div role="alert" className="upload-warning">
        {tooMany > 0 && (
          <p>
            <strong>{words.maxFiles(number(most))}</strong>{' '}
            {tooMany === 1 ? words.noneAdded.one : words.noneAdded.many(number(tooMany))}
          </p>
        )}
      </div>
      {!pond.current && files.map((file) => <PlainRow key={file.path} file={file} />)}
      <div className="upload-box" ref={box} />
      {!pond.current && (
        <input
          {...facts}
          ref={plain}
          type="file"
          // What has no name is posted nowhere.
          className={props.name === undefined ? 'in needs-script' : 'in'}
          multiple={limits.multiple}
          accept={props.accept?.join(',')}
          name={props.name}
          disabled={props.disabled}
        />
      )}
      {takesPictures(limits) && !props.disabled && (
        <label className="btn line upload-camera needs-script">
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
    </div>
  )
}

/** A file until FilePond has come, and without script. */
function PlainRow({ file: { name, href, picture, ...facts } }: { file: FieldFile }) {
  const { locale } = usePage()
  return (
    <div className="upload-row">
      <span className="pic">{picture !== undefined && <img src={picture} alt={''} />}</span>
      <span className="txt">
        {href === undefined ? (
          <span className="fn">
            <Shown text={name} />
          </span>
        ) : (
          <a className="fn" href={href} target="_blank" rel="noreferrer">
            <Shown text={name} />
          </a>
        )}
        <span className="st">{factsText(facts, locale)}</span>
      </span>
    </div>
  )
}

/**
 * FilePond in an element, once it has come; it is told what React has drawn. It takes over from the plain input, with
 * the files that were chosen there and the focus.
 */
function usePond(options: PondOptions & PondEvents, files: readonly FieldFile[]) {
  const part = useLoaded(pondLoader)
  const { language, locale } = usePage()
  const box = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLInputElement>(null)
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
    const before = plain.current
    if (before?.files?.length) made.add([...before.files])
    if (before === document.activeElement) made.focus()
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
  return { box, plain, pond }
}
