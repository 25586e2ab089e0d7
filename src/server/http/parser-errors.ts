/** Answers what Node's parser refuses, before there is a request, from the same catalogue. */

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../protocol/errors.ts'
import { AppError } from '../app-error.ts'
import { BARE_HEADERS, refusalData, refusalPage, TYPES } from './bare-refusal.ts'
import { parseReader } from './locale.ts'

const CODES: { readonly [code: string]: ErrorCode } = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'REQUEST_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** How long the client may take to read the refusal, ms. */
const LINGER_MS = 2000

/** `rawPacket`: the bytes that came last. Node's types know it on no error. */
type ParserError = { readonly code?: string | undefined; readonly rawPacket?: unknown }

/** Writes the refusal to the socket and closes it. */
export function answerParserError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = new AppError(CODES[error.code ?? ''] ?? 'REQUEST_MALFORMED')
  socket.setTimeout(LINGER_MS, () => socket.destroy())
  // Closing with bytes unread would reset the connection before the client has read the answer.
  socket.removeAllListeners('data').on('data', () => undefined)
  const { rawPacket } = error
  socket.end(answerTo(refusal, Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''))
}

/** The part of the request that was received tells the language and the form of the answer. */
function answerTo(error: AppError, received: string): string {
  const reader = parseReader(/\r\naccept-language: *([^\r\n]*)/i.exec(received)?.[1])
  const isData = /\r\nx-(?:requested-with|tablewire(?:-navigate)?):/i.test(received)
  const body = isData ? JSON.stringify(refusalData(error, reader, '')) : refusalPage(error, reader)
  const headers = {
    ...BARE_HEADERS,
    'content-type': isData ? TYPES.data : TYPES.page,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}
