/** How FilePond sends and takes back files: through the calls of the component (spec §4, §7). */

import type { FilePondServerConfigProps } from 'filepond'
import type { UploadItem } from '../../client/upload.ts'
import type { ReactUpload } from '../../react/use-upload.ts'
import type { UploadWords } from '../../messages/upload/words.ts'
import { fileSize } from '../../protocol/file-size.ts'
import { type Limits, unfit } from './field-file.ts'

/** What the widget needs of `useUpload`. */
export type UploadHandle = Pick<
  ReactUpload,
  'add' | 'cancel' | 'retry' | 'remove' | 'order' | 'listen' | 'files' | 'items' | 'fromAddress'
>

type ServerConfig = Exclude<FilePondServerConfigProps['server'], string | null | undefined>

/** FilePond's endpoints: an address, its options, a function, or `null` for none. */
export type UploadServer = Pick<
  ServerConfig,
  'process' | 'revert' | 'restore' | 'load' | 'fetch' | 'patch'
>

export type SendingOptions = {
  upload(): UploadHandle
  limits(): Limits
  words(): UploadWords
  readonly locale: string
  /** The path that a file will have is known before it has arrived. */
  known(file: Blob, path: string): void
}

type Process = Extract<NonNullable<ServerConfig['process']>, (...args: never[]) => unknown>
type Fetch = Extract<NonNullable<ServerConfig['fetch']>, (...args: never[]) => unknown>
type Revert = Extract<NonNullable<ServerConfig['revert']>, (...args: never[]) => unknown>

export function sending({ upload, limits, words, locale, known }: SendingOptions): {
  readonly process: Process
  readonly revert: Revert
  readonly fetch: Fetch
  /** What a person may do about a file that has failed; `null` if sending it again is of no use. */
  retryOf(file: Blob): string | null
  /** A file that has failed was taken away. */
  forget(file: Blob): void
} {
  const arrived = ({ file, progress }: UploadItem) => fileSize((file.size * progress) / 100, locale)
  const broken = (item: UploadItem): string =>
    item.isResumed
      ? words().brokenAt(arrived(item), fileSize(item.file.size, locale))
      : words().broken
  /** The items of files that have failed. */
  const failed = new WeakMap<Blob, UploadItem>()
  return {
    process(...[, given, , load, error, progress, abort]) {
      // What came from another host is a mere blob with a name.
      const file =
        given instanceof File ? given : new File([given], given.name, { type: given.type })
      const why = unfit(limits(), file)
      if (why) {
        error(whyNot(why, limits(), words(), locale))
        return undefined
      }
      const { add, retry, listen, cancel } = upload()
      let id = failed.get(given)?.id
      const stop = listen((event, item) => {
        if (item.id !== id) return
        if (item.path !== undefined) known(given, item.path)
        if (event === 'progress') progress(true, item.progress, 100)
        if (event === 'start' || event === 'progress') return
        stop()
        if (event === 'finish') load(item.path ?? '')
        if (event === 'cancel') abort()
        if (event !== 'error') return
        failed.set(given, item)
        error(item.messages.join(' ') || broken(item))
      })
      if (id === undefined) id = add([file])[0]
      else retry(id)
      return { abort: () => void (id !== undefined && cancel(id)) }
    },
    revert(path, load, error) {
      upload()
        .remove(String(path))
        .then(load, (reason: unknown) => error(reason instanceof Error ? reason.message : ''))
    },
    fetch: (address, load, error) => {
      const stop = new AbortController()
      upload()
        .fromAddress(address, stop.signal)
        .then(load, (reason: unknown) =>
          error((reason instanceof Error && reason.message) || words().broken),
        )
      return { abort: () => stop.abort() }
    },
    retryOf(file) {
      const item = failed.get(file)
      if (!item || item.isRefused) return null
      return item.isResumed ? words().retryFrom(arrived(item)) : words().retry
    },
    forget(file) {
      const item = failed.get(file)
      if (item) upload().cancel(item.id)
    },
  }
}

const whyNot = (
  why: 'otherType' | 'tooLarge',
  { maxBytes = 0 }: Limits,
  words: UploadWords,
  locale: string,
): string => (why === 'tooLarge' ? words.tooLarge(fileSize(maxBytes, locale)) : words.otherType)
