/** Files on their way to one property of a component: start, progress, finish, error, cancel (spec §4). */

import { HEADERS, REQUESTED_WITH } from '../protocol/wire.ts'
import {
  readAddress,
  type StoredPaths,
  UPLOAD_CALLS,
  UPLOAD_PART,
  UPLOAD_TOGETHER,
  type UploadAddress,
  type UploadErrors,
} from '../protocol/upload.ts'
import type { Json } from '../protocol/json.ts'
import { CallError } from './call-error.ts'
import type { LiveComponent } from './component.ts'
import { createObservable, type Observable } from './observable.ts'
import { fieldsOf, requireToken } from './transport.ts'
import { sendPieces } from './send-pieces.ts'
import type { SendUpload } from './upload-request.ts'

/** A file that has not arrived. Once it has, the component's state holds it, and this is gone. */
export type UploadItem = {
  /** Tells the items of a property apart. */
  readonly id: number
  readonly file: File
  readonly status: 'waiting' | 'sending' | 'failed'
  /** How much has been sent, whole percents. */
  readonly progress: number
  /** Why it failed, as the server says; empty where the line broke, or the answer could not be read. */
  readonly messages: readonly string[]
  /** Whether the server refused the file itself, so that sending it again is of no use. */
  readonly isRefused?: boolean
  /** Whether what has arrived of it is kept, so that a retry goes on from there. */
  readonly isResumed?: boolean
  /** What stands for its bytes in the state, once it has arrived; known when they begin to be sent. */
  readonly path?: string
}

/** What happens to an item, by name. */
export type UploadEvents = {
  start(item: UploadItem): void
  progress(item: UploadItem): void
  finish(item: UploadItem): void
  error(item: UploadItem): void
  cancel(item: UploadItem): void
}

export type UploadParts = {
  readonly component: Pick<LiveComponent, 'call'>
  readonly property: string
  /** Whether the property takes several files. Default: false. */
  readonly multiple?: boolean
  readonly send: SendUpload
  /** Resolves after that time, or once the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  csrf(): string | null
  /** Id of the connected socket, or `null`. */
  socketId(): string | null
}

export type UploadListener = (event: keyof UploadEvents, item: UploadItem) => void

export type Upload = Pick<Observable<readonly UploadItem[]>, 'getState' | 'subscribe'> & {
  /** Sends files, one after the other. Returns the ids of their items. */
  add(files: Iterable<File>): readonly number[]
  /** Stops what is on its way, or forgets what has failed; the server is told. */
  cancel(id: number): void
  /** Sends a file again that has failed; of one that is sent in pieces, what has not arrived. */
  retry(id: number): void
  /** Removes a file that has arrived. Rejects if the server could not be told. */
  remove(path: string): Promise<void>
  /** Puts files that have arrived into this order; the others stay before them. */
  order(paths: readonly string[]): Promise<void>
  /** Tells what happens to each item; returns the cleanup. */
  listen(listener: UploadListener): () => void
  /** Stops everything, because nobody waits for it any more. */
  stop(): void
}

export function createUpload(parts: UploadParts): Upload {
  const { component, property, multiple = false } = parts
  const listeners = new Set<UploadListener>()
  const items = createObservable<readonly UploadItem[]>([])
  const running = new Map<number, AbortController>()
  /** Where files are sent in pieces, so that one that has failed can be gone on with. */
  const begun = new Map<number, UploadAddress>()
  let ids = 0

  const find = (id: number) => items.getState().find((item) => item.id === id)
  const change = (id: number, by: Partial<UploadItem>): UploadItem | undefined => {
    items.setState(items.getState().map((item) => (item.id === id ? { ...item, ...by } : item)))
    return find(id)
  }
  const drop = (id: number) => {
    begun.delete(id)
    items.setState(items.getState().filter((item) => item.id !== id))
  }
  const tell = (event: keyof UploadEvents, item: UploadItem | undefined) =>
    item && listeners.forEach((listener) => listener(event, item))
  const call = (method: string, ...params: Json[]) => component.call(method, property, ...params)

  /** Begins with the next one that waits, unless one is on its way. */
  function goOn(): void {
    const next = items.getState().find(({ status }) => status === 'waiting')
    if (!next || running.size > 0) return
    const stop = new AbortController()
    running.set(next.id, stop)
    void send(next, stop.signal)
      .catch((error: unknown) =>
        fail(next.id, sentenceOf(error), error instanceof CallError && error.code === 'REFUSED'),
      )
      .finally(() => {
        running.delete(next.id)
        goOn()
      })
  }

  async function send(item: UploadItem, signal: AbortSignal): Promise<void> {
    const { id, file } = item
    tell('start', change(id, { status: 'sending', messages: [] }))
    const { name, size, type } = file
    const before = begun.get(id)
    const address =
      before ?? readAddress(await call(UPLOAD_CALLS.start, [{ name, size, type }], multiple))
    const { paths, piece } = address
    change(id, { path: paths[0] ?? '', isResumed: piece !== undefined })
    if (signal.aborted) return takeBack(address)
    const stopped = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    void stopped.then(() => takeBack(address))
    const sent = (share: number) =>
      tell('progress', change(id, { progress: Math.floor(share * 100) }))
    if (piece !== undefined) begun.set(id, address)
    const answer =
      piece === undefined
        ? await parts.send({ ...requestOf(parts, address, file), signal, sent })
        : await sendPieces(
            { send: parts.send, wait: parts.wait, headers: () => headersOf(parts) },
            { file, address: { ...address, piece }, isBegun: before !== undefined, signal, sent },
          )
    // What had arrived is gone: the file begins anew.
    if (before && answer.status === 404 && begun.delete(id)) return send(item, signal)
    if (signal.aborted) return
    if (answer.status >= 200 && answer.status < 300) {
      await call(UPLOAD_CALLS.finish, [...storedIn(address, answer.text)], multiple)
      const arrived = find(id)
      const [path] = paths
      drop(id)
      return tell('finish', arrived && { ...arrived, ...(path !== undefined && { path }) })
    }
    // Our own server has kept nothing; a storage may have.
    if (address.put) for (const path of paths) await call(UPLOAD_CALLS.remove, path)
    const body = answer.status === 422 ? answer.text : null
    // The component shows why; the item does as well.
    fail(id, body === null ? [] : messagesIn(body), body !== null)
    await call(UPLOAD_CALLS.errored, body, multiple)
  }

  const fail = (id: number, messages: readonly string[], isRefused: boolean) =>
    tell('error', change(id, { status: 'failed', messages, isRefused }))

  const takeBack = ({ paths }: UploadAddress) =>
    paths.forEach((path) => void call(UPLOAD_CALLS.remove, path))

  function cancel(id: number): void {
    const item = find(id)
    const isRunning = running.has(id)
    running.get(id)?.abort()
    const kept = begun.get(id)
    if (kept && !isRunning) takeBack(kept)
    drop(id)
    if (item && item.status !== 'failed') tell('cancel', item)
  }

  return {
    getState: items.getState,
    subscribe: items.subscribe,
    add(files) {
      const added = [...files].map((file): UploadItem => {
        return { id: ++ids, file, status: 'waiting', progress: 0, messages: [] }
      })
      items.setState([...items.getState(), ...added])
      goOn()
      return added.map(({ id }) => id)
    },
    cancel,
    retry(id) {
      change(id, { status: 'waiting', messages: [] })
      goOn()
    },
    remove: async (path) => void (await call(UPLOAD_CALLS.remove, path)),
    async order(paths) {
      // Files that finish again go to the end.
      for (let at = 0; at < paths.length; at += UPLOAD_TOGETHER)
        await call(UPLOAD_CALLS.finish, paths.slice(at, at + UPLOAD_TOGETHER), multiple)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: () => items.getState().forEach(({ id }) => cancel(id)),
  }
}

/** A POST carries what all requests do (spec §7); a PUT into a storage carries the server's headers alone. */
function requestOf(parts: UploadParts, { url, put }: UploadAddress, file: File) {
  if (put) return { method: 'PUT', url, headers: put.headers, body: file } as const
  const body = new FormData()
  body.append(UPLOAD_PART, file, file.name)
  return { method: 'POST', url, headers: headersOf(parts), body } as const
}

function headersOf({ csrf, socketId }: UploadParts): { readonly [name: string]: string } {
  const socket = socketId()
  return {
    Accept: 'application/json',
    [HEADERS.csrf]: requireToken(csrf()),
    [HEADERS.requestedWith]: REQUESTED_WITH,
    ...(socket !== null && { [HEADERS.socketId]: socket }),
  }
}

/** Only a POST is answered with paths; a storage answers with anything. */
function storedIn({ put, paths }: UploadAddress, text: string): readonly string[] {
  if (put) return paths
  // Another program's answer has no paths, and finishes nothing.
  return fieldsOf<StoredPaths>(JSON.parse(text)).paths ?? []
}

/** The server's own sentence. What only a program can read, such as why an answer is no JSON, is told to nobody. */
const sentenceOf = (error: unknown): readonly string[] =>
  error instanceof CallError && error.code !== 'BAD_ANSWER' ? [error.message] : []

function messagesIn(body: string): readonly string[] {
  try {
    // A proxy may have answered, so each step is looked at.
    const { errors, message } = fieldsOf<UploadErrors>(JSON.parse(body))
    const all = Object.values(Object(errors)).flat().map(String)
    return all.length > 0 || typeof message !== 'string' ? all : [message]
  } catch {
    return []
  }
}
