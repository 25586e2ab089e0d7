/** Refuses with a document that loads nothing, where no page of the admin can be drawn. */

import { messagesFor } from '../../messages/messages.ts'
import type { ErrorBody } from '../../protocol/wire.ts'
import type { AppError } from '../app-error.ts'
import { escapeHtml } from './document.ts'
import type { Reader } from './locale.ts'

/** Headers of an answer that loads nothing and may not be kept. */
export const BARE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const

export const TYPES = {
  data: 'application/json; charset=utf-8',
  page: 'text/html; charset=utf-8',
} as const

/** Whether the log has the failure under its reference; other refusals are only counted there. */
export const isLogged = ({ code }: AppError): boolean => code === 'SERVER_ERROR'

/** `reference`: that of the log, for what is logged. */
export function refusalData(error: AppError, reader: Reader, reference: string): ErrorBody {
  const { code } = error
  const message = error.messageFor(reader)
  return { error: { code, message, ...(isLogged(error) && { reference }) } }
}

/** The refusal as a document without styles. */
export function refusalPage(error: AppError, reader: Reader, reference = ''): string {
  const { titles, direction } = messagesFor(reader.language)
  const said = [error.messageFor(reader), ...(isLogged(error) ? [reference] : [])].join(' ')
  return `<!doctype html>
<html lang="${escapeHtml(reader.language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(titles.error)}</title>
</head>
<body><main><h1>${escapeHtml(titles.error)}</h1><p>${escapeHtml(said)}</p></main></body>
</html>
`
}
