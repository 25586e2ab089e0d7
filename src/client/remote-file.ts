/** A file from another host, which the server fetches. */

import { type ErrorBody, HEADERS, REQUESTED_WITH } from '../protocol/wire.ts'
import { fieldsOf, requireToken } from './transport.ts'

export type RemoteFileParts = {
  readonly fetch: typeof fetch
  /** Where the server is asked. */
  readonly url: string
  csrf(): string | null
  /** Id of the connected socket, or `null`. */
  socketId(): string | null
}

/** Rejects with the server's sentence if it gives none. */
export async function fetchRemoteFile(
  { fetch, url, csrf, socketId }: RemoteFileParts,
  address: string,
  signal: AbortSignal,
): Promise<File> {
  const socket = socketId()
  const answer = await fetch(`${url}?fetch=${encodeURIComponent(address)}`, {
    method: 'POST',
    signal,
    headers: {
      [HEADERS.csrf]: requireToken(csrf()),
      [HEADERS.requestedWith]: REQUESTED_WITH,
      ...(socket !== null && { [HEADERS.socketId]: socket }),
    },
  })
  if (!answer.ok) throw new Error(await sentenceOf(answer))
  const bytes = await answer.blob()
  return new File([bytes], nameIn(answer), { type: bytes.type })
}

function nameIn({ headers }: Response): string {
  const [, name] = /filename\*=UTF-8''([^;]*)/.exec(headers.get('content-disposition') ?? '') ?? []
  return name === undefined ? '' : decodeURIComponent(name)
}

/** What the server says; nothing if something else has answered. */
async function sentenceOf(answer: Response): Promise<string> {
  const told: unknown = await answer.json().catch(() => null)
  const { message } = fieldsOf<ErrorBody['error']>(fieldsOf<ErrorBody>(told).error)
  return typeof message === 'string' ? message : ''
}
