/** Uploads in React: files of one property, those on their way and those that have arrived. */

import { useCallback, useEffect, useMemo } from 'react'
import { fetchRemoteFile } from '../client/remote-file.ts'
import { createUpload, type Upload, type UploadEvents, type UploadItem } from '../client/upload.ts'
import { sendByXhr } from '../client/upload-request.ts'
import type { ComponentTypes, Typed, TypesOf } from '../protocol/component-types.ts'
import { getPath } from '../protocol/path.ts'
import { readFiles, type UploadedFile } from '../protocol/upload.ts'
import { useRuntime } from './runtime-context.tsx'
import { usePage, useStore } from './use-component.ts'

/** A property that holds uploads, or the dotted path of one inside a property. */
export type UploadProperty<Types extends ComponentTypes> =
  | {
      [Name in keyof Types['state'] & string]: Types['state'][Name] extends readonly UploadedFile[]
        ? Name
        : never
    }[keyof Types['state'] & string]
  | `${keyof Types['state'] & string}.${string}`

export type UseUploadOptions = {
  /** Whether the property takes several files. Default: false. */
  readonly multiple?: boolean
  /** What to do when something happens to a file. Default: nothing. */
  readonly on?: { readonly [Name in keyof UploadEvents]?: UploadEvents[Name] }
}

export type ReactUpload = Omit<Upload, 'getState' | 'subscribe' | 'stop'> & {
  /** Files that have arrived. */
  readonly files: readonly UploadedFile[]
  /** Files that have not: on their way, waiting, or failed. */
  readonly items: readonly UploadItem[]
  /** A file of another host, which the server fetches; rejects with the server's sentence. */
  fromAddress(address: string, signal: AbortSignal): Promise<File>
  /** Why the server took no file, in its words. */
  readonly errors: readonly string[]
}

const NOTHING = {}

/**
 * Uploads to a property of the component of that id. Its definition says in `uploads` what is taken.
 *
 * @example
 * const photo = useUpload<typeof strike>('strike', 'photo')
 * return <input type="file" onChange={({ target }) => photo.add(target.files ?? [])} />
 */
export function useUpload<Component extends Typed>(
  id: string,
  property: UploadProperty<TypesOf<Component>>,
  { multiple = false, on = NOTHING }: UseUploadOptions = {},
): ReactUpload {
  const runtime = useRuntime()
  const component = runtime.component(id)
  const { data, errors } = useStore(component)
  const upload = useMemo(
    () =>
      createUpload({
        ...{ component, property, multiple, send: sendByXhr },
        wait: (ms, signal) =>
          new Promise((resolve) => {
            const stop = runtime.environment.later(resolve, ms)
            const end = () => {
              stop()
              resolve()
            }
            signal.addEventListener('abort', end, { once: true })
          }),
        csrf: () => runtime.environment.csrf(),
        socketId: runtime.push.socketId,
      }),
    [runtime, component, property, multiple],
  )
  useEffect(() => upload.listen((event, item) => on[event]?.(item)), [upload, on])
  useEffect(() => upload.stop, [upload])
  const items = useStore(upload)
  const { updateUrl } = usePage()
  // Beside the address of updates, whatever stands before both.
  const url = updateUrl.replace(/update$/, 'uploads/fetch')
  const fromAddress = useCallback(
    (address: string, signal: AbortSignal) => {
      const { environment, push } = runtime
      const { fetch, csrf } = environment
      return fetchRemoteFile({ fetch, csrf, socketId: push.socketId, url }, address, signal)
    },
    [runtime, url],
  )
  const { add, cancel, retry, remove, order, listen } = upload
  return {
    ...{ add, cancel, retry, remove, order, listen, items, fromAddress },
    files: readFiles(getPath(data, property.split('.'))),
    errors: errors[property] ?? [],
  }
}
