import { describe, expect, test } from 'vitest'
import { networkKey } from './network-key.ts'
import { AttemptLimit } from './attempt-limit.ts'

describe('the limit', () => {
  test('allows so many in any minute, and says when the next one may be made', () => {
    let now = 0
    const limit = new AttemptLimit({ now: () => now, attempts: 2, windowMs: 60_000 })
    limit.take('a')
    now = 30_000
    limit.take('a')
    limit.take('b')
    expect(() => limit.take('a')).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 }),
    )
    now = 60_000
    limit.take('a')
    expect(() => limit.take('a')).toThrow()
  })

  test('does not lock anybody out when the clock is put back', () => {
    let now = 1_000_000
    const limit = new AttemptLimit({ now: () => now, attempts: 1, windowMs: 60_000 })
    limit.take('a')
    now = 0
    expect(() => limit.take('a')).not.toThrow()
  })

  test('keeps a key that is in use while thousands of others come', () => {
    const limit = new AttemptLimit({ now: () => 0, attempts: 2, windowMs: 60_000 })
    limit.take('old')
    for (let i = 0; i < 9_998; i += 1) limit.take(`key ${i}`)
    limit.take('old')
    for (let i = 0; i < 5_000; i += 1) limit.take(`other ${i}`)
    expect(() => limit.take('old')).toThrow()
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['', ''],
])('the address %j counts as %j', (address, key) => {
  expect(networkKey(address)).toBe(key)
})
