/** FilePond in its box: the list of files, the drop zone below it, and what happens in them. */

import { create, type FilePond, type FilePondFile, FileStatus } from 'filepond'
import { uploadWordsFor, type UploadWords } from '../../messages/upload/words.ts'
import { fileSize } from '../../protocol/file-size.ts'
import { type FieldFile, type Limits, mostFiles, typesText } from './field-file.ts'
import { drawRow, type FileRow } from './file-row.ts'
import { ICONS } from './icons.ts'
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
  /** Ids of what names and describes the field. */
  readonly labelledBy: string
  readonly describedBy: string | undefined
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
}

export type Pond = {
  /** Adds files that did not come by FilePond's own ways. */
  add(files: readonly (File | string)[]): void
  /** The files that there are now; those on their way stay. */
  show(files: readonly FieldFile[]): void
  update(): void
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
  /** Files that are on their way, or have arrived, by what FilePond holds. */
  const paths = new WeakMap<Blob, string>()
  const given = new Map<string, FieldFile>()
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
    onaddfilestart: (item) => row(item)?.show({ is: 'waiting' }),
    onaddfile: (error, item) => {
      update()
      row(item)?.show(error ? { is: 'failed', why: error.body, retry: null } : stateOf(item))
    },
    onprocessfilestart: (item) => row(item)?.show({ is: 'sending', share: 0 }),
    onprocessfileprogress: (item, share) => row(item)?.show({ is: 'sending', share }),
    onprocessfileabort: (item) => row(item)?.show({ is: 'waiting' }),
    onprocessfile: (error, item) => {
      row(item)?.show(
        error
          ? { is: 'failed', why: error.body, retry: server.retryOf(item.file) }
          : { is: 'done' },
      )
      if (!error) latest().changed(arrived())
    },
    onremovefile: (_error, item) => {
      leave(rows.get(item.id)?.element)
      rows.delete(item.id)
      server.forget(item.file)
      update()
      if (given.delete(pathOf(item))) latest().changed(arrived())
    },
    ...optionsOf(),
  })
  /** The row of a file, drawn once FilePond has made its element. */
  function row(item: FilePondFile): FileRow | undefined {
    const known = rows.get(item.id)
    const element = elementOf(item)
    if (known || !element) return known
    const file = given.get(pathOf(item)) ?? { name: item.filename, size: item.fileSize }
    const bytes = item.file instanceof Blob ? item.file : undefined
    const drawn = drawRow(element, file, bytes, { words, locale, now: Date.now })
    moveBy(drawn.grip, element, {
      moved: () => move(item, element),
      putBack: inOrder,
    })
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

  function optionsOf() {
    const { multiple, isDisabled, isRequired } = latest()
    return {
      ...{ allowMultiple: multiple, maxFiles: mostFiles(latest()) },
      ...{ disabled: isDisabled, required: isRequired },
    }
  }

  /** What depends on how many there are, and on what React has drawn. */
  function update(): void {
    const { accept, labelledBy, describedBy, multiple } = latest()
    const isFull = pond.getFiles().length >= mostFiles(latest())
    box.dataset['full'] = String(isFull)
    box.dataset['several'] = String(multiple)
    const label = idleLabel(words, latest(), isFull, locale)
    pond.setOptions({ ...optionsOf(), labelIdle: label })
    const input = browser()
    if (!input) return
    const own = box.querySelector('.filepond--drop-label > label')?.id ?? ''
    setOrRemove(input, 'accept', accept?.join(','))
    setOrRemove(input, 'aria-labelledby', [labelledBy, own].join(' ').trim())
    setOrRemove(input, 'aria-describedby', describedBy)
  }

  return {
    add(files) {
      if (pond.getFiles().length + files.length > mostFiles(latest()))
        latest().tooMany(files.length)
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
        const mock = { name: file.name, size: file.size, type: file.type }
        void pond
          .addFile(path, { type: isUpload ? 'limbo' : 'local', ...(!loads && { file: mock }) })
          .catch(() => undefined)
      }
      // The state decides on the order of what has arrived.
      const byPath = new Map(pond.getFiles().map((item) => [pathOf(item), item.id]))
      const ids = files.flatMap(({ path }) => byPath.get(path) ?? [])
      ids.forEach((id, at) => pond.moveFile(id, at))
      inOrder()
      update()
    },
    update,
    close: () => pond.destroy(),
  }
}

const stateOf = ({ status }: FilePondFile) =>
  ({
    is:
      status === FileStatus.PROCESSING_COMPLETE || status === FileStatus.IDLE ? 'done' : 'waiting',
  }) as const

/** FilePond takes markup; copy is text. */
const asMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function idleLabel(words: UploadWords, limits: Limits, isFull: boolean, locale: string): string {
  const { multiple, maxBytes } = limits
  const most = mostFiles(limits)
  if (isFull) {
    const text = most === 1 ? words.full.one : words.full.many(most.toLocaleString(locale))
    return `${ICONS.full}<span>${asMarkup(text)}</span>`
  }
  const { drop, choose } = multiple ? words.idle.many : words.idle.one
  const bytes = maxBytes === undefined ? '' : fileSize(maxBytes, locale)
  const taken = words.limits(typesText(limits, words.pictures), bytes)
  return `${ICONS.upload}<span>${asMarkup(drop)} <span class="link">${asMarkup(choose)}</span></span><span class="lim">${asMarkup(taken)}</span>`
}

/** What FilePond says itself, most of it read out alone. */
function labelsOf({ spoken, remove, retry, cancel }: UploadWords) {
  const body = (error: { readonly body?: string }) => error.body ?? ''
  return {
    labelIdle: '',
    labelFileCountSingular: spoken.file,
    labelFileCountPlural: spoken.files,
    labelFileLoading: spoken.loading,
    labelFileAdded: spoken.added,
    labelFileLoadError: spoken.loadError,
    labelFileRemoved: spoken.removed,
    labelFileRemoveError: spoken.removeError,
    labelFileProcessing: spoken.sending,
    labelFileProcessingComplete: spoken.complete,
    labelFileProcessingAborted: spoken.cancelled,
    labelFileProcessingError: body,
    labelFileProcessingRevertError: body,
    ...{ labelTapToCancel: '', labelTapToRetry: '', labelTapToUndo: '' },
    labelButtonRemoveItem: remove,
    labelButtonAbortItemLoad: cancel,
    labelButtonRetryItemLoad: retry,
    labelButtonAbortItemProcessing: cancel,
    labelButtonUndoItemProcessing: remove,
    labelButtonRetryItemProcessing: retry,
    ...{ iconRemove: ICONS.remove, iconRetry: ICONS.retry, iconUndo: ICONS.remove },
  }
}

function setOrRemove(element: Element, name: string, value: string | undefined): void {
  if (value) element.setAttribute(name, value)
  else element.removeAttribute(name)
}
