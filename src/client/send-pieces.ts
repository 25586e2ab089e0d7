/** Sends a file in pieces; after the line has broken, it goes on with what has not arrived. */

import { UPLOAD_HEADERS, type UploadAddress } from '../protocol/upload.ts'
import type { SendUpload, UploadAnswer } from './upload-request.ts'

/**
 * How long to wait before each further try, ms; after a piece has arrived they begin anew. Together longer
 * than the server waits for a line that has broken without its knowing.
 */
const RETRY_MS = [500, 1000, 3000, 10_000, 20_000] as const

export type PieceParts = {
  readonly send: SendUpload
  headers(): { readonly [name: string]: string }
  /** Resolves after that time, or once the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export type PieceOptions = {
  readonly file: File
  readonly address: UploadAddress & { readonly piece: number }
  /** Whether some of it may have arrived. */
  readonly isBegun: boolean
  readonly signal: AbortSignal
  /** Called with the share that has left, 0 to 1. */
  sent(share: number): void
}

/** Answers as the last request did; 404 if nothing of it is there any more. */
export async function sendPieces(
  { send, headers, wait }: PieceParts,
  { file, address: { url, piece, paths }, isBegun, signal, sent }: PieceOptions,
): Promise<UploadAnswer> {
  const [path = ''] = paths
  const ask = (
    method: 'POST' | 'HEAD' | 'PATCH',
    more: { readonly [name: string]: string },
    body: Blob | null,
    share: (share: number) => void = () => undefined,
  ) => {
    const to = method === 'POST' ? url : `${url}&patch=${encodeURIComponent(path)}`
    const all = { ...headers(), [UPLOAD_HEADERS.length]: String(file.size), ...more }
    return send({ method, url: to, headers: all, body, signal, sent: share })
  }
  let hasBegun = isBegun
  const askHowMuch = () => ask(hasBegun ? 'HEAD' : 'POST', {}, null)
  let answer = await askHowMuch()
  for (let failures = 0; !signal.aborted;) {
    if (isDone(answer)) {
      hasBegun = true
      const offset = answer.offset ?? 0
      const rest = file.slice(offset, offset + piece)
      answer = await ask(
        'PATCH',
        { [UPLOAD_HEADERS.offset]: String(offset), ...RAW },
        rest,
        (share) => sent((offset + share * rest.size) / Math.max(1, file.size)),
      )
      if (isDone(answer)) failures = 0
      if (isDone(answer) && offset + rest.size >= file.size) return answer
      continue
    }
    const ms = RETRY_MS[failures]
    if (!isTemporary(answer) || ms === undefined) return answer
    failures++
    await wait(ms, signal)
    if (!signal.aborted) answer = await askHowMuch()
  }
  return answer
}

const RAW = { 'Content-Type': 'application/offset+octet-stream' }

const isDone = ({ status }: UploadAnswer): boolean => status >= 200 && status < 300

/** The line broke, another piece was just arriving, or the server is busy. */
const isTemporary = ({ status }: UploadAnswer): boolean =>
  status === 0 || status === 409 || status === 429 || status >= 500
