/** Sends the bytes of a file: the only place that uses `XMLHttpRequest`, which tells how far it is. */

export type UploadRequest = {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: FormData | Blob
  readonly signal: AbortSignal
  /** Called with the share that has left, 0 to 1. */
  sent(share: number): void
}

/** Any answer; status 0 if the line broke, or the request was aborted. */
export type UploadAnswer = { readonly status: number; readonly text: string }

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
      resolve({ status: request.status, text: request.responseText })
    })
    signal.addEventListener('abort', abort)
    request.send(body)
  })
