/** What an error says, and to whom. */

import { expect, test } from 'vitest'
import { messagesFor } from '../messages/messages.ts'
import { ERRORS } from '../protocol/errors.ts'
import { AppError } from './app-error.ts'

const { errors, details } = messagesFor('en')

test('says in English what has happened and what it was about, for logs and terminals', () => {
  const error = new AppError('QUERY_TIMEOUT', {
    detail: ({ database }, number) => database.tooSlow(number(5000)),
  })
  expect(error.message).toBe(errors.QUERY_TIMEOUT)
  expect(error.detail).toBe(details.database.tooSlow('5,000'))
  expect(error.status).toBe(ERRORS.QUERY_TIMEOUT.status)
})

test('says it as somebody reads, the numbers in it as well', () => {
  const error = new AppError('QUERY_TIMEOUT', {
    detail: ({ database }, number) => database.tooSlow(number(5000)),
  })
  const reader = { language: 'en', locale: 'de-DE' }
  expect(error.messageFor(reader)).toBe(errors.QUERY_TIMEOUT)
  expect(error.detailFor(reader)).toBe(details.database.tooSlow('5.000'))
})

test('may know nothing of what it was about', () => {
  const error = new AppError('NOT_FOUND')
  expect(error.detail).toBeUndefined()
  expect(error.detailFor({ language: 'en', locale: 'en-US' })).toBeNull()
})
