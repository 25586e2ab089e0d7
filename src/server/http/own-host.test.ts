import { expect, test } from 'vitest'
import { isOwnHost } from './own-host.ts'

test.each([
  ['localhost', true],
  ['LOCALHOST:4600', true],
  ['localhost.', true],
  ['shop.localhost:4600', true],
  ['127.0.0.1:4600', true],
  ['192.0.2.7', true],
  ['[::1]', true],
  ['[fe80::1]:4600', true],
  ['admin.lan:80', true],
  ['Admin.LAN', true],
  ['evil.example', false],
  ['evil.example:4600', false],
  ['admin.lan.evil.example', false],
  ['localhost.evil.example', false],
  ['notlocalhost', false],
  ['.localhost', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example@127.0.0.1', false],
  ['[::1].evil.example', false],
  ['[evil.example]', false],
  ['127.0.0.1:4600:4600', false],
  ['127.0.0.1/', false],
  ['', false],
  [undefined, false],
])('asked by %j: %j', (host, is) => {
  expect(isOwnHost(host, ['admin.lan'])).toBe(is)
})
