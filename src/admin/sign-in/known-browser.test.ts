import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { KeyRing } from '../../server/keys.ts'
import { createKnownBrowsers } from './known-browser.ts'

const keys = new KeyRing([Buffer.alloc(32, 1)])
// Neither is looked at: the cookies are those of the test.
const [request, reply] = [{} as FastifyRequest, {} as FastifyReply]

function browserWith(ring = keys) {
  const jar = { cookie: undefined as string | undefined }
  const known = createKnownBrowsers(ring, {
    browser: () => jar.cookie,
    setBrowser: (_reply, value) => void (jar.cookie = value),
  })
  return { jar, known }
}

test('a browser is known after a sign-in, for that account, however its address is spelled', () => {
  const { known } = browserWith()
  expect(known.find(request)).toBeUndefined()
  known.remember(reply, 'Ana@example.org')
  const found = known.find(request)
  expect(['ana@example.org', ' ANA@EXAMPLE.ORG '].map((email) => found?.isOf(email))).toEqual([
    true,
    true,
  ])
  expect(found?.isOf('bo@example.org')).toBe(false)
})

test('the cookie holds no address, and is another one each time', () => {
  const { jar, known } = browserWith()
  known.remember(reply, 'ana@example.org')
  const first = jar.cookie!
  known.remember(reply, 'ana@example.org')
  const parts = [...first.split('.'), ...jar.cookie!.split('.')]
  // The key's id alone is the same.
  expect(new Set(parts).size).toBe(7)
  expect(Buffer.from(first, 'base64url').includes('ana')).toBe(false)
})

test('a cookie that was not issued here, or was changed anywhere, is not known', () => {
  const { jar, known } = browserWith()
  known.remember(reply, 'ana@example.org')
  const genuine = jar.cookie!
  const elsewhere = browserWith(new KeyRing([Buffer.alloc(32, 2)]))
  elsewhere.known.remember(reply, 'ana@example.org')
  const changed = Array.from(
    genuine,
    (char, at) => genuine.slice(0, at) + (char === 'A' ? 'B' : 'A') + genuine.slice(at + 1),
  )
  for (const cookie of ['', 'x', `${genuine}A`, elsewhere.jar.cookie, ...changed]) {
    jar.cookie = cookie
    expect(known.find(request), cookie).toBeUndefined()
  }
  jar.cookie = genuine
  expect(known.find(request)).toBeDefined()
})
