import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkCsrfToken, isSameOrigin, issueCsrfToken } from './csrf.ts'
import { KeyRing } from '../keys.ts'

const keys = new KeyRing([randomBytes(32)])

const isCsrfToken = (ring: KeyRing, holder: string, token: unknown): boolean =>
  checkCsrfToken(ring, holder, token) === 'valid'

describe('a token', () => {
  test('is good for the session that it was issued to', () => {
    expect(isCsrfToken(keys, 'lineage-1', issueCsrfToken(keys, 'lineage-1'))).toBe(true)
  })

  test('is good for no other', () => {
    const token = issueCsrfToken(keys, 'lineage-1')
    for (const holder of ['lineage-2', '', 'lineage-1 ', 'Lineage-1'])
      expect(isCsrfToken(keys, holder, token)).toBe(false)
  })

  test('differs each time', () => {
    const tokens = Array.from({ length: 100 }, () => issueCsrfToken(keys, 'lineage-1'))
    expect(new Set(tokens).size).toBe(100)
  })

  test('outlives a rotation of the key, not its retirement', () => {
    const ring = new KeyRing([randomBytes(32)])
    const token = issueCsrfToken(ring, 'lineage-1')
    ring.rotate(randomBytes(32))
    expect(isCsrfToken(ring, 'lineage-1', token)).toBe(true)
    ring.retire()
    expect(isCsrfToken(ring, 'lineage-1', token)).toBe(false)
    expect(checkCsrfToken(ring, 'lineage-1', token)).toBe('unknown-key')
  })

  test('is refused with any character changed, cut or added', () => {
    const token = issueCsrfToken(keys, 'lineage-1')
    const changed = [...token].flatMap((char, at) => [
      token.slice(0, at) + (char === 'A' ? 'B' : 'A') + token.slice(at + 1),
      token.slice(0, at),
      token.slice(0, at) + 'A' + token.slice(at),
    ])
    expect(changed.filter((other) => isCsrfToken(keys, 'lineage-1', other))).toEqual([])
  })

  test.each([undefined, null, 0, true, {}, [], ['a'], '', '..', 'x'.repeat(1_000_000)])(
    'is not %o',
    (token) => expect(isCsrfToken(keys, 'lineage-1', token)).toBe(false),
  )

  test('is not a MAC of another purpose', () => {
    const [mask] = issueCsrfToken(keys, 'lineage-1').split('.')
    const { keyId, mac } = keys.sign('visitor', `${mask}.lineage-1`)
    expect(isCsrfToken(keys, 'lineage-1', `${mask}.${keyId}.${mac}`)).toBe(false)
  })

  test('cannot move text between its mask and its holder', () => {
    const token = issueCsrfToken(keys, 'a.b')
    const [mask, keyId, mac] = token.split('.')
    expect(isCsrfToken(keys, 'b', `${mask}.a.${keyId}.${mac}`)).toBe(false)
  })
})

describe('the origin', () => {
  const host = 'admin.example.org:4600'

  test.each([
    [{ host, origin: undefined, fetchSite: undefined }, true],
    [{ host, origin: 'http://admin.example.org:4600', fetchSite: undefined }, true],
    [{ host, origin: 'https://admin.example.org:4600', fetchSite: 'same-origin' }, true],
    [{ host, origin: undefined, fetchSite: 'none' }, true],
    [{ host, origin: undefined, fetchSite: 'same-site' }, false],
    [{ host, origin: undefined, fetchSite: 'cross-site' }, false],
    [{ host, origin: 'null', fetchSite: undefined }, false],
    [{ host, origin: '', fetchSite: undefined }, false],
    [{ host, origin: 'http://admin.example.org', fetchSite: undefined }, false],
    [{ host, origin: 'http://admin.example.org:4600.evil.org', fetchSite: undefined }, false],
    [{ host, origin: 'http://evil.org/admin.example.org:4600', fetchSite: undefined }, false],
    [{ host, origin: 'http://evil.org', fetchSite: 'same-origin' }, false],
    [{ host: undefined, origin: 'http://evil.org', fetchSite: undefined }, false],
    [{ host: undefined, origin: 'http://undefined', fetchSite: undefined }, false],
    [{ host, origin: 'ftp://admin.example.org:4600', fetchSite: undefined }, false],
    [{ host, origin: 'http://ana@admin.example.org:4600', fetchSite: undefined }, false],
    [{ host, origin: 'http://admin.example.org:4600/', fetchSite: undefined }, false],
  ])('%j: %j', (origin, same) => expect(isSameOrigin({ own: undefined, ...origin })).toBe(same))

  test.each([
    ['https://admin.example.org', true],
    [undefined, true],
    ['http://admin.example.org', false],
    ['https://admin.example.org:443', false],
    ['https://admin.example.org/', false],
    ['https://ADMIN.example.org', false],
    ['https://admin.example.org.', false],
    ['https://admin.example.org:4600', false],
    ['null', false],
  ])('where ours is configured, %j: %j', (origin, same) => {
    const own = 'https://admin.example.org'
    expect(isSameOrigin({ own, host, origin, fetchSite: undefined })).toBe(same)
  })
})
