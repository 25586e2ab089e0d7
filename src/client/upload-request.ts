/** Sends the bytes of a file: the only place that uses `XMLHttpRequest`, which tells how far it is. */

import { UPLOAD_HEADERS } from '../protocol/upload.ts'

export type UploadRequest = {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'HEAD'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: FormData | Blob | null
  readonly signal: AbortSignal
  /** Called with the share that has left, 0 to 1. */
  sent(share: number): void
}

/** Any answer; status 0 if the line broke, or the request was aborted. */
export type UploadAnswer = {
  readonly status: number
  readonly text: string
  /** How much of a file has arrived, where the server says so. */
  readonly offset?: number
}

export type SendUpload = (request: UploadRequest) => Promise<UploadAnswer>

export const sendByXhr: SendUpload = ({ method, url, headers, body, signal, sent }) =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) sent(loaded / total)
    })
    // Of all ends, exactly one comes.
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      // Of a bucket, which alone is sent a `PUT`, browsers log that the header is asked for.
      const offset = method === 'PUT' ? null : request.getResponseHeader(UPLOAD_HEADERS.offset)
      resolve({
        ...{ status: request.status, text: request.responseText },
        ...(offset !== null && { offset: Number(offset) }),
      })
    })
    signal.addEventListener('abort', abort)
    request.send(body)
  })
