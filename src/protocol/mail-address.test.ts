import { expect, test } from 'vitest'
import { isMailAddress } from './mail-address.ts'

test.each([
  'ana@example.org',
  'ana.kovac+shop@mail.example.org',
  "o'brien@example.org",
  'ana@localhost',
  'grüße@exämple.de',
  '用户@例子.中国',
])('%s is one address', (text) => {
  expect(isMailAddress(text)).toBe(true)
  expect(new URL(`mailto:${text}`).search).toBe('')
})

test.each([
  'ana@example.org?cc=eve@evil.example',
  'ana@example.org?body=x',
  'ana?cc=eve@evil.example',
  'ana%3Fcc=eve@evil.example',
  'ana@example.org,eve@evil.example',
  'ana,eve@evil.example',
  'ana;eve@evil.example',
  'ana@example.org&cc=eve',
  'ana@example.org#x',
  'Ana <ana@example.org>',
  '"ana"@example.org',
  'ana@example.org\nbcc: eve@evil.example',
  'ana@example.org\n',
  'ana@example.org%0abcc:eve',
  ' ana@example.org',
  'ana@',
  '@example.org',
  'ana',
  '',
  'ana@\u202eexample.org',
  'a\ud800@example.org',
  `${'a'.repeat(300)}@example.org`,
])('%j is not', (text) => {
  expect(isMailAddress(text)).toBe(false)
})
