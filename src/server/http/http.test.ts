import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { type ErrorCode, ERRORS } from '../../protocol/errors.ts'
import { AppError } from '../app-error.ts'
import { sayRetryAfter } from './http.ts'

/** What is said with a refusal about when to come again. */
function told(error: AppError): string | undefined {
  let value: string | undefined
  sayRetryAfter(
    { header: (_name: string, text: string) => (value = text) } as never as FastifyReply,
    error,
  )
  return value
}

test.each(Object.keys(ERRORS) as ErrorCode[])(
  '%s says when to come again if it is 429 or 503',
  (code) => {
    const error = new AppError(code)
    expect(told(error)).toBe([429, 503].includes(error.status) ? '1' : undefined)
    expect(told(new AppError(code, { retryAfter: 7 }))).toBe('7')
  },
)
