import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import { KeyRing, MAC_LENGTH, type Purpose, sameText } from './keys.ts'

const PURPOSES: readonly Purpose[] = ['snapshot', 'csrf', 'visitor', 'session']
const secret = () => randomBytes(32)

describe('a key ring', () => {
  test('verifies what it has signed, and nothing else', () => {
    const keys = new KeyRing([secret()])
    const mac = keys.sign('csrf', 'text')
    expect(keys.verify('csrf', 'text', mac)).toBe('valid')
    expect(keys.verify('csrf', 'text ', mac)).toBe('forged')
  })

  test('verifies the same again, though it remembers what was right', () => {
    const keys = new KeyRing([secret()])
    const right = keys.sign('csrf', 'text')
    const wrong = { ...right, mac: keys.sign('csrf', 'text ').mac }
    const verdicts = [wrong, right, wrong, right].map((mac) =>
      keys.verifyAgain('csrf', 'text', mac),
    )
    expect(verdicts).toEqual(['forged', 'valid', 'forged', 'valid'])
    expect(keys.verifyAgain('csrf', 'text ', right)).toBe('forged')
    expect(keys.verifyAgain('visitor', 'text', right)).toBe('forged')
    const foreign = { ...right, keyId: 'AAAAAAAA' }
    expect(keys.verifyAgain('csrf', 'text', foreign)).toBe('unknown-key')
    const two = keys.sign('csrf', 'a text')
    expect(keys.verifyAgain('csrf', 'a text', two)).toBe('valid')
    const spread = { ...two, keyId: `${two.keyId} a` }
    expect(keys.verifyAgain('csrf', 'text', spread)).toBe('unknown-key')
  })

  test.each(PURPOSES)('never takes a MAC for %s as one for another purpose', (purpose) => {
    const keys = new KeyRing([secret()])
    const mac = keys.sign(purpose, 'text')
    const verdicts = PURPOSES.map((other) => [other, keys.verify(other, 'text', mac)])
    const expected = PURPOSES.map((other) => [other, other === purpose ? 'valid' : 'forged'])
    expect(verdicts).toEqual(expected)
  })

  test('does not know what another ring has signed', () => {
    const mac = new KeyRing([secret()]).sign('csrf', 'text')
    expect(new KeyRing([secret()]).verify('csrf', 'text', mac)).toBe('unknown-key')
  })

  test('does not know what a ring of the same secret has signed for another scope', () => {
    const shared = secret()
    const [first, second] = [new KeyRing([shared], '/a'), new KeyRing([shared], '/b')]
    const mac = first.sign('csrf', 'text')
    expect(second.verify('csrf', 'text', mac)).toBe('unknown-key')
    expect(second.verify('csrf', 'text', { ...second.sign('csrf', 'text'), mac: mac.mac })).toBe(
      'forged',
    )
    const before = secret()
    first.rotate(before)
    second.rotate(before)
    expect(second.verify('csrf', 'text', first.sign('csrf', 'text'))).toBe('unknown-key')
  })

  test('takes a foreign MAC under its own key id as forged', () => {
    const keys = new KeyRing([secret()])
    const { mac } = new KeyRing([secret()]).sign('csrf', 'text')
    expect(keys.verify('csrf', 'text', { ...keys.sign('csrf', 'text'), mac })).toBe('forged')
  })

  test.each([0, 1, 31, 33, MAC_LENGTH - 1, MAC_LENGTH + 1, 1_000_000])(
    'takes a MAC of %i characters as forged, without throwing',
    (length) => {
      const keys = new KeyRing([secret()])
      const { keyId } = keys.sign('csrf', 'text')
      expect(keys.verify('csrf', 'text', { keyId, mac: 'A'.repeat(length) })).toBe('forged')
    },
  )

  test('takes no other spelling of the same MAC', () => {
    const keys = new KeyRing([secret()])
    const { keyId, mac } = keys.sign('csrf', 'text')
    // The last character of 43 holds two unused bits, so three others decode to the same bytes.
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => mac.slice(0, -1) + last)
      .filter((other) => Buffer.from(other, 'base64url').equals(Buffer.from(mac, 'base64url')))
    expect(spellings).toHaveLength(4)
    const valid = spellings.filter((mac) => keys.verify('csrf', 'text', { keyId, mac }) === 'valid')
    expect(valid).toEqual([mac])
  })

  test('needs a secret, and one of 32 bytes at least', () => {
    expect(() => new KeyRing([])).toThrow('at least one secret')
    expect(() => new KeyRing([randomBytes(31)])).toThrow('at least 32 bytes')
    expect(() => new KeyRing([secret()]).rotate(randomBytes(31))).toThrow('at least 32 bytes')
  })
})

describe('rotation', () => {
  test('signs with the newest secret and verifies with those before it', () => {
    const [old, young] = [secret(), secret()]
    const keys = new KeyRing([old])
    const before = keys.sign('csrf', 'text')
    keys.rotate(young)
    const after = keys.sign('csrf', 'text')
    expect(after.keyId).not.toBe(before.keyId)
    expect(keys.verify('csrf', 'text', before)).toBe('valid')
    expect(new KeyRing([young, old]).verify('csrf', 'text', after)).toBe('valid')
  })

  test('does not know a retired key any more', () => {
    const keys = new KeyRing([secret()])
    const before = keys.sign('csrf', 'text')
    keys.rotate(secret())
    keys.retire()
    expect(keys.verify('csrf', 'text', before)).toBe('unknown-key')
  })

  test('keeps every MAC valid inside its window and none outside, whatever is done in between', () => {
    const command = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('sign'), text: fc.string() }) },
      fc.record({ do: fc.constant('rotate'), text: fc.constant('') }),
      fc.record({ do: fc.constant('retire'), text: fc.constant('') }),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let newest = 0
        let oldest = 0
        const keys = new KeyRing([secret()])
        const issued: { age: number; text: string; mac: ReturnType<KeyRing['sign']> }[] = []
        for (const { do: what, text } of commands) {
          if (what === 'sign') issued.push({ age: newest, text, mac: keys.sign('visitor', text) })
          if (what === 'rotate') {
            keys.rotate(secret())
            newest++
          }
          if (what === 'retire') {
            keys.retire()
            oldest = newest
          }
          for (const { age, text, mac } of issued) {
            const expected = age >= oldest ? 'valid' : 'unknown-key'
            expect(keys.verify('visitor', text, mac)).toBe(expected)
            expect(keys.verifyAgain('visitor', text, mac)).toBe(expected)
          }
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('sameText', () => {
  test.each([
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['abc', '', false],
    ['é', 'e\u0301', false],
  ])('%j and %j: %j', (a, b, same) => expect(sameText(a, b)).toBe(same))
})

describe('a sealed text', () => {
  const ring = (secret: number, scope = '') => new KeyRing([new Uint8Array(32).fill(secret)], scope)

  test('is the same token each time, tells nothing, and opens again', () => {
    const token = ring(1).seal('a', 'session key')
    expect(ring(1).seal('a', 'session key')).toBe(token)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('session')
    expect(ring(1).open('a', token)).toBe('session key')
    expect(ring(1).open('a', ring(1).seal('a', ''))).toBe('')
  })

  test('opens in its own context, with its own key and scope, and in one spelling', () => {
    const token = ring(1).seal('a', 'b')
    for (const [keys, context] of [
      [ring(1), 'ab'],
      [ring(1), ''],
      [ring(2), 'a'],
      [ring(1, '/admin'), 'a'],
    ] as const)
      expect(keys.open(context, token)).toBeUndefined()
    expect(ring(1).seal('a', 'b')).not.toBe(ring(1).seal('ab', ''))
    for (const other of ['', 'x', token.slice(1), `${token}=`, `${token}AA`, token.slice(0, -2)])
      expect(ring(1).open('a', other)).toBeUndefined()
  })

  test('opens after the secret has changed, until the old one is retired', () => {
    const keys = ring(1)
    const token = keys.seal('a', 'b')
    keys.rotate(new Uint8Array(32).fill(2))
    expect(keys.open('a', token)).toBe('b')
    keys.retire()
    expect(keys.open('a', token)).toBeUndefined()
  })
})
