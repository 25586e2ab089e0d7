/** What must hold of every answer, whatever was asked. */

import { textOf } from './requests.ts'
import type { Answer, HostileRequest } from './target.ts'

/** Texts that only the inside says: stacks, engines, statements, code, hashes. */
const TELLS: readonly string[] = [
  '\n    at ',
  '\\n    at ',
  'node:internal',
  'node_modules',
  '/src/',
  '.ts:',
  '.js:',
  'sqlite_master',
  'syntax error',
  'unrecognized token',
  'no such column',
  'no such table',
  'select *',
  'SELECT ',
  'order by',
  'CREATE TABLE',
  'STRICT;',
  'tablewire_users',
  'tablewire_sessions',
  'password_hash',
  'passwordHash',
  '$argon2id',
  'token_hash',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'undefined is not',
  'Cannot read prop',
  'is not a function',
  'is not iterable',
  'Unexpected token',
  '[native code]',
  '=> {',
  'function (',
  '[object Object]',
  'valibot',
]

/** Codes of errors; within a token such letters stand by chance. */
const CODE = /(?<![\w-])(?:(?:SQLITE|ERR|FST)_[A-Z]\w*|ECONN[A-Z]+|ENOENT)(?![\w-])/g

/** What is wrong with an answer, in words; empty where nothing is. */
export function judge(
  answer: Answer,
  request: HostileRequest,
  allowed: readonly number[],
  secrets: readonly string[],
): string[] {
  const wrong: string[] = []
  if (answer.status >= 500 || !allowed.includes(answer.status))
    wrong.push(`status ${answer.status}: ${answer.body.slice(0, 200)}`)
  const told = tellsIn(answer, request, secrets)
  if (told.length > 0) wrong.push(`tells ${JSON.stringify(told)}`)
  for (const name of ['location', 'set-cookie'])
    if (/[\r\n\0]/.test(answer.headers[name] ?? '')) wrong.push(`a line in ${name}`)
  if (hasPollution()) wrong.push('Object.prototype has grown')
  return wrong
}

/** What the attacker wrote may come back to them; anything else of the list may not. */
function tellsIn(
  { body, headers }: Answer,
  request: HostileRequest,
  secrets: readonly string[],
): string[] {
  const all = `${body}\n${JSON.stringify(headers)}`
  const texts = [...TELLS, ...secrets].filter((tell) => all.includes(tell))
  const found = [...texts, ...(all.match(CODE) ?? [])]
  if (found.length === 0) return found
  const asked = wordsOf(request)
  return found.filter((tell) => !asked.includes(tell))
}

function wordsOf(request: HostileRequest): string {
  const { url = '', headers = {} } = request
  const raw = `${url}
${textOf(request)}
${JSON.stringify(headers)}`
  return `${raw}
${unescape(raw)}
${unescape(raw).replaceAll('+', ' ')}`
}

/** Percent escapes undone as far as they can be. */
const unescape = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  )

const NAMES = Object.getOwnPropertyNames(Object.prototype).join()

/** Whether anything has been added to what every object inherits. */
export const hasPollution = (): boolean =>
  Object.getOwnPropertyNames(Object.prototype).join() !== NAMES
