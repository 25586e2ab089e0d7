/** FilePond in its box: the list of files, the drop zone below it, and what happens in them. */

import { create, type FilePond, type FilePondFile, FileStatus } from 'filepond'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import { type Dragged, watchDragged } from './dragged-files.ts'
import { zoneText } from './drop-zone.ts'
import { type FieldFile, type Limits, mostFiles, takesDragged } from './field-file.ts'
import { drawRow, type FileRow, type RowState } from './file-row.ts'
import { labelsOf } from './filepond-labels.ts'
import { moveBy } from './move-rows.ts'
import { sending, type UploadHandle, type UploadServer } from './send-file.ts'

export type PondOptions = Limits & {
  readonly upload: UploadHandle
  readonly server: UploadServer
  /** Whether addresses of files are taken. */
  readonly takesAddresses: boolean
  readonly name: string
  readonly isDisabled: boolean
  readonly isRequired: boolean
  /** Whether another file takes the place of the one that is there. */
  readonly replaces: boolean
  readonly input: InputFacts
}

/** What the element is told that takes files, whichever it is. */
export type InputFacts = {
  readonly id: string
  /** Ids of what names and describes the field. */
  readonly 'aria-labelledby': string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required'?: true | undefined
}

export type PondEvents = {
  /** Too many were added at once (spec §5): none of them is taken. */
  tooMany(count: number): void
  /** The person has added, removed or moved some: the paths of all that have arrived, in order. */
  changed(paths: readonly string[]): void
  /** Before `changed`, if some were moved. */
  moved(paths: readonly string[]): void
  /** To be read out. */
  say(text: string): void
  /** What has become of the files that were added. */
  stands(standing: Standing): void
}

export type Standing = {
  /** How many were refused, or have failed to arrive. */
  readonly failed: number
  /** The name of one that is on its way; `null` if none is. */
  readonly awaited: string | null
}

export type Pond = {
  /** Adds files that did not come by FilePond's own ways. */
  add(files: readonly (File | string)[]): void
  /** The files that there are now; those on their way stay. */
  show(files: readonly FieldFile[]): void
  update(): void
  focus(): void
  close(): void
}

/** `latest` returns what React has drawn last. */
export function createPond(
  box: HTMLElement,
  { language, locale }: { readonly language: string; readonly locale: string },
  latest: () => PondOptions & PondEvents,
): Pond {
  const words = uploadWordsFor(language)
  const rows = new Map<string, FileRow>()
  const states = new Map<string, RowState>()
  /** Files that are on their way, or have arrived, by what FilePond holds. */
  const paths = new WeakMap<Blob, string>()
  const given = new Map<string, FieldFile>()
  const stop = new AbortController()
  let dragged: Dragged = null
  const server = sending({
    ...{ locale, words: () => words, limits: latest, upload: () => latest().upload },
    known: (file, path) => void paths.set(file, path),
  })
  const number = (value: number) => value.toLocaleString(locale)
  const pathOf = (item: FilePondFile): string => item.serverId || (paths.get(item.file) ?? '')
  const elementOf = (item: FilePondFile) =>
    box.querySelector<HTMLElement>(`#filepond--item-${item.id}`)
  const arrived = () =>
    pond
      .getFiles()
      .filter(({ serverId }) => serverId)
      .map(pathOf)

  // FilePond's types want an element, which it replaces.
  const place = document.createElement('input')
  place.type = 'file'
  box.append(place)
  const pond: FilePond = create(place, {
    ...labelsOf(words),
    ...{ instantUpload: true, allowMinimumUploadDuration: false, maxParallelUploads: 1 },
    // Another file would take the place of the first: the limit blocks instead (spec §5).
    ...{ allowReplace: false, allowPaste: false, credits: false },
    ...{ itemInsertLocation: 'after', itemInsertLocationFreedom: false },
    // The limit alone says how many.
    allowMultiple: true,
    name: latest().name,
    server: {
      ...{ process: server.process, revert: server.revert },
      fetch: latest().takesAddresses ? server.fetch : null,
      ...latest().server,
    },
    // Without that, FilePond would fetch an address that is dropped by itself.
    dropValidation: true,
    beforeDropFile: (file) => typeof file !== 'string' || latest().takesAddresses,
    onwarning: (_error: unknown, files: unknown) =>
      latest().tooMany(Array.isArray(files) ? files.length : 1),
    oninit: () => arrange(),
    onaddfilestart: (item) => draw(item, { is: 'waiting' }),
    onaddfile: (error, item) =>
      draw(item, error ? { is: 'failed', why: error.body, retry: null } : stateOf(item)),
    onprocessfilestart: (item) => draw(item, { is: 'sending', share: 0 }),
    onprocessfileprogress: (item, share) => row(item)?.show({ is: 'sending', share }),
    onprocessfileabort: (item) => draw(item, { is: 'waiting' }),
    onprocessfile: (error, item) => {
      draw(
        item,
        error
          ? { is: 'failed', why: error.body, retry: server.retryOf(item.file) }
          : { is: 'done' },
      )
      if (!error) latest().changed(arrived())
    },
    onremovefile: (_error, item) => {
      leave(rows.get(item.id)?.element)
      rows.delete(item.id)
      states.delete(item.id)
      server.forget(item.file)
      tell()
      update()
      if (given.delete(pathOf(item))) latest().changed(arrived())
    },
    ...optionsOf(),
  })
  watchDragged((types) => {
    dragged = types
    update()
  }, stop.signal)

  function draw(item: FilePondFile, state: RowState): void {
    row(item)?.show(state)
    states.set(item.id, state)
    tell()
    update()
  }
  /** What was chosen, until FilePond has it: it lets the file dialog go first. */
  let chosen: string | null = null
  box.addEventListener(
    'change',
    () => {
      chosen = browser()?.files?.[0]?.name ?? null
      tell()
      setTimeout(() => {
        chosen = null
        if (!stop.signal.aborted) tell()
      }, CHOSEN_MS)
    },
    { signal: stop.signal },
  )
  function tell(): void {
    const isUnderWay = (item: FilePondFile) =>
      !given.has(pathOf(item)) && !ENDED.has(states.get(item.id)?.is)
    const failed = [...states.values()].filter(({ is }) => is === 'failed').length
    const awaited = pond.getFiles().find(isUnderWay)?.filename ?? chosen
    latest().stands({ failed, awaited })
  }

  /** The row of a file, drawn once FilePond has made its element. */
  function row(item: FilePondFile): FileRow | undefined {
    const before = rows.get(item.id)
    const element = elementOf(item)
    if (before || !element) return before
    const known = given.get(pathOf(item))
    const file = known ?? { name: item.filename, size: item.fileSize }
    const bytes = item.file instanceof Blob ? item.file : undefined
    const drawn = drawRow(element, file, bytes, { words, locale, now: Date.now })
    moveBy(drawn.grip, element, {
      moved: () => move(item, element),
      putBack: inOrder,
    })
    if (known) drawn.tell(known)
    rows.set(item.id, drawn)
    inOrder()
    return drawn
  }

  /** FilePond learns where its element has been put. */
  function move(item: FilePondFile, element: HTMLElement): void {
    const siblings = [...(element.parentElement?.children ?? [])]
    const at = siblings.indexOf(element)
    pond.moveFile(item.id, at)
    latest().say(words.moved(item.filename, number(at + 1), number(siblings.length)))
    latest().moved(arrived())
    latest().changed(arrived())
  }

  /** Elements stand in the order of the files: FilePond would only draw them elsewhere. */
  function inOrder(): void {
    const elements = pond.getFiles().flatMap((item) => elementOf(item) ?? [])
    const list = elements[0]?.parentElement
    elements.forEach((element, at) => {
      if (list && list.children[at] !== element)
        list.insertBefore(element, list.children[at] ?? null)
    })
  }

  /** The row goes at once, and whoever was in it goes on beside it. */
  function leave(element: HTMLElement | undefined): void {
    if (!element) return
    const hasFocus =
      element.contains(document.activeElement) || document.activeElement === document.body
    const beside = element.nextElementSibling ?? element.previousElementSibling
    element.hidden = true
    if (!hasFocus) return
    const next = beside?.querySelector<HTMLElement>('.filepond--file-action-button:not([disabled])')
    ;(next ?? browser())?.focus()
  }

  const browser = () => box.querySelector<HTMLInputElement>('.filepond--browser')

  /** The list comes before the field, so that keys go from top to bottom. */
  function arrange(): void {
    const list = box.querySelector('.filepond--list-scroller')
    if (list) list.parentElement?.prepend(list)
    update()
  }

  /** What was refused takes no place, nor does a file whose place another one takes. */
  function placesLeft(): number {
    const { length } = pond.getFiles()
    return places() - length
  }
  function places(): number {
    const refused = [...states.values()].filter(isRefused).length
    return mostFiles(latest()) + refused + (latest().replaces ? given.size : 0)
  }

  function optionsOf() {
    const { isDisabled, isRequired } = latest()
    return { maxFiles: places(), disabled: isDisabled, required: isRequired }
  }

  /** What depends on how many there are, on what is dragged, and on what React has drawn. */
  function update(): void {
    const { accept, input, multiple, replaces } = latest()
    const isFull = placesLeft() <= 0
    const takes = dragged && !isFull && takesDragged(latest(), dragged)
    box.dataset['full'] = String(isFull)
    box.dataset['several'] = String(multiple)
    setOrRemove(box, 'data-drag', dragged && (takes ? 'taken' : 'refused'))
    const state = isFull ? 'full' : takes === null ? 'idle' : takes ? 'taken' : 'other'
    const label = zoneText(words, latest(), {
      state,
      isReplaced: replaces && given.size > 0,
      locale,
    })
    pond.setOptions({ ...optionsOf(), labelIdle: label })
    const element = browser()
    const zone = box.querySelector<HTMLLabelElement>('.filepond--drop-label > label')
    if (!element || !zone) return
    element.multiple = multiple
    zone.htmlFor = input.id
    setOrRemove(element, 'accept', accept?.join(','))
    const notes = [zone.id, input['aria-describedby']].filter(Boolean).join(' ')
    for (const [name, value] of Object.entries({ ...input, 'aria-describedby': notes }))
      setOrRemove(element, name, value)
  }

  return {
    add(files) {
      if (files.length > placesLeft()) latest().tooMany(files.length)
      // What fails says so in its row.
      else for (const file of files) void pond.addFile(file).catch(() => undefined)
    },
    show(files) {
      const wanted = new Map(files.map((file) => [file.path, file]))
      const items = pond.getFiles()
      const uploads = new Set(latest().upload.files.map(({ path }) => path))
      const underWay = new Set(latest().upload.items.map(({ path }) => path))
      for (const item of items) {
        const path = pathOf(item)
        if (!given.has(path) || wanted.has(path)) continue
        given.delete(path)
        pond.removeFile(item.id)
      }
      const shown = new Set([...items.map(pathOf), ...underWay])
      for (const [path, file] of wanted) {
        given.set(path, file)
        if (shown.has(path)) continue
        const isUpload = uploads.has(path)
        const loads = isUpload ? latest().server.restore : latest().server.load
        const mock = { name: file.name, size: file.size ?? 0, type: file.type }
        void pond
          .addFile(path, { type: isUpload ? 'limbo' : 'local', ...(!loads && { file: mock }) })
          .catch(() => undefined)
      }
      // The state decides on the order of what has arrived.
      const byPath = new Map(pond.getFiles().map((item) => [pathOf(item), item.id]))
      const ids = files.flatMap(({ path }) => byPath.get(path) ?? [])
      for (const file of files) rows.get(byPath.get(file.path) ?? '')?.tell(file)
      ids.forEach((id, at) => pond.moveFile(id, at))
      inOrder()
      update()
    },
    update,
    focus: () => browser()?.focus(),
    close() {
      stop.abort()
      pond.destroy()
    },
  }
}

const stateOf = ({ status }: FilePondFile) =>
  ({
    is:
      status === FileStatus.PROCESSING_COMPLETE || status === FileStatus.IDLE ? 'done' : 'waiting',
  }) as const

/** A little longer than FilePond waits after files were chosen, ms. */
const CHOSEN_MS = 260

const ENDED: ReadonlySet<RowState['is'] | undefined> = new Set(['done', 'failed'])

/** Sending it again is of no use. */
const isRefused = (state: RowState): boolean => state.is === 'failed' && state.retry === null

function setOrRemove(
  element: Element,
  name: string,
  value: string | true | null | undefined,
): void {
  if (value) element.setAttribute(name, String(value))
  else element.removeAttribute(name)
}
