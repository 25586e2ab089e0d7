import { randomBytes } from 'node:crypto'
import Pusher from 'pusher'
import { describe, expect, test } from 'vitest'
import { authorizeChannel, authorizeUser } from './authorize-channel.ts'
import {
  isSignedChannel,
  isSignedRequest,
  isSignedUser,
  sharedSecret,
  signChannel,
  signRequest,
  signUser,
  signWebhook,
} from './signatures.ts'

// Key and secret of the protocol's documentation.
const app = { id: '3', key: '278d425bdf160c739803', secret: '7ad3773142a6692b25b8' }

const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('the vectors of the documentation', () => {
  test('a private channel', () =>
    expect(signChannel(app, '1234.1234', 'private-foobar')).toBe(
      `${app.key}:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4`,
    ))

  test('a presence channel', () =>
    expect(
      signChannel(
        app,
        '1234.1234',
        'presence-foobar',
        '{"user_id":10,"user_info":{"name":"Mr. Channels"}}',
      ),
    ).toBe(`${app.key}:31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80`))

  test('a user', () =>
    expect(signUser(app, '1234.1234', '{"id":"12345"}')).toBe(
      `${app.key}:4708d583dada6a56435fb8bc611c77c359a31eebde13337c16ab43aa6de336ba`,
    ))

  test('an HTTP request', () => {
    const parameters = new Map([
      ['body_md5', 'ec365a775a4cd0599faeb73354201b6f'],
      ['auth_version', '1.0'],
      ['auth_key', app.key],
      ['auth_timestamp', '1353088179'],
    ])
    const request = { method: 'POST', path: '/apps/3/events', parameters }
    const signature = 'da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c'
    expect(signRequest(app.secret, request)).toBe(signature)
    parameters.set('auth_signature', signature)
    expect(isSignedRequest(app.secret, request)).toBe(true)
    parameters.set('auth_timestamp', '1353088180')
    expect(isSignedRequest(app.secret, request)).toBe(false)
  })
})

describe('Pusher’s server library', () => {
  const encryptionMasterKeyBase64 = randomBytes(32).toString('base64')
  const pusher = new Pusher({
    appId: app.id,
    key: app.key,
    secret: app.secret,
    host: 'localhost',
    encryptionMasterKeyBase64,
  })
  const ours = { ...app, encryptionKey: encryptionMasterKeyBase64 }

  test('authorizes channels and users alike', () => {
    const ask = { app: ours, socketId: '1.2' }
    const user = { id: '7', info: { name: 'Ada' } }
    expect(authorizeChannel({ ...ask, channel: 'private-a' })).toEqual(
      pusher.authorizeChannel('1.2', 'private-a'),
    )
    expect(authorizeChannel({ ...ask, channel: 'presence-a', user })).toEqual(
      pusher.authorizeChannel('1.2', 'presence-a', { user_id: '7', user_info: { name: 'Ada' } }),
    )
    expect(authorizeChannel({ ...ask, channel: 'private-encrypted-a' })).toEqual(
      pusher.authorizeChannel('1.2', 'private-encrypted-a'),
    )
    expect(authorizeUser({ ...ask, user })).toEqual(
      pusher.authenticateUser('1.2', { id: '7', user_info: { name: 'Ada' } }),
    )
  })

  test('verifies our webhooks', () => {
    const rawBody = '{"time_ms":1,"events":[]}'
    const headers = (signature: string) => ({
      'x-pusher-key': app.key,
      'x-pusher-signature': signature,
      'content-type': 'application/json',
    })
    const signature = signWebhook(app, rawBody)
    expect(pusher.webhook({ headers: headers(signature), rawBody }).isValid()).toBe(true)
    expect(pusher.webhook({ headers: headers(signature), rawBody: `${rawBody} ` }).isValid()).toBe(
      false,
    )
  })

  test('the key of an encrypted channel needs 32 bytes', () =>
    expect(() => sharedSecret('c2hvcnQ=', 'private-encrypted-a')).toThrow('32 bytes'))
})

describe('one signed text has one meaning', () => {
  const BAD_SOCKETS = [
    '',
    '1',
    '1.',
    '.2',
    '1.2.3',
    '1.2:private-a',
    '1.2:',
    ' 1.2',
    '1.2\n',
    'a.b',
    '-1.2',
    '1e3.2',
  ]
  const BAD_CHANNELS = [
    'private-a:b',
    'private-a:',
    ':private-a',
    'private-ä',
    'private- a',
    'private-a\n',
    `private-${'a'.repeat(193)}`,
    'public',
    '',
    '#server-to-user-1',
    'presence-a',
  ]

  test('a malformed socket id is refused', () => {
    for (const socketId of BAD_SOCKETS) {
      expect(
        codeOf(() => authorizeChannel({ app, socketId, channel: 'private-a' })),
        socketId,
      ).toBe('REQUEST_INVALID')
      expect(
        codeOf(() => authorizeUser({ app, socketId, user: { id: '1' } })),
        socketId,
      ).toBe('REQUEST_INVALID')
    }
  })

  test('a channel that is malformed, or takes no such signature, is refused', () => {
    for (const channel of BAD_CHANNELS)
      expect(
        codeOf(() => authorizeChannel({ app, socketId: '1.2', channel })),
        channel,
      ).toBe('REQUEST_INVALID')
  })

  test('members are for presence channels, and small', () => {
    const ask = { app, socketId: '1.2' }
    const bad = [
      { channel: 'private-a', user: { id: '1' } },
      { channel: 'presence-a', user: { id: '' } },
      { channel: 'presence-a', user: { id: 'a b' } },
      { channel: 'presence-a', user: { id: 'a'.repeat(129) } },
      { channel: 'presence-a', user: { id: '1', info: 'a'.repeat(1024) } },
    ]
    for (const one of bad)
      expect(codeOf(() => authorizeChannel({ ...ask, ...one }))).toBe('REQUEST_INVALID')
  })

  test('a user’s signature opens no channel, and a channel’s signs in no user', () => {
    const socketId = '1.2'
    const user = signUser(app, socketId, '{"id":"1"}')!
    for (const channel of [':user:', 'user', ':user::{"id":"1"}', ':user'])
      for (const data of [undefined, '{"id":"1"}', ':{"id":"1"}'])
        expect(isSignedChannel(app, { socketId, channel, data, auth: user })).toBe(false)
    const channel = signChannel(app, socketId, 'presence-a', '{"id":"1"}')!
    expect(isSignedUser(app, { socketId, data: '{"id":"1"}', auth: channel })).toBe(false)
    expect(isSignedUser(app, { socketId, data: '{"id":"1"}', auth: user })).toBe(true)
  })

  test('none of 10,000 forgeries verifies', () => {
    const genuine = signChannel(app, '1.2', 'private-a')!
    const [key = '', hash = ''] = genuine.split(':')
    const forged = (at: number): string => {
      if (at % 5 === 0) return `${key}:${randomBytes(32).toString('hex')}`
      if (at % 5 === 1) return `${key}:${hash.slice(0, at % 64)}`
      if (at % 5 === 2)
        return `${key}:${hash.replace(hash[at % 64]!, hash[at % 64] === '0' ? '1' : '0')}`
      if (at % 5 === 3) return `${key}:${hash.toUpperCase()}${at}`
      return `${key}x:${hash}`
    }
    for (let at = 0; at < 10_000; at++) {
      const claimed = { socketId: '1.2', channel: 'private-a', auth: forged(at) }
      expect(isSignedChannel(app, claimed)).toBe(false)
    }
    expect(isSignedChannel(app, { socketId: '1.2', channel: 'private-a', auth: genuine })).toBe(
      true,
    )
    expect(isSignedChannel(app, { socketId: '1.3', channel: 'private-a', auth: genuine })).toBe(
      false,
    )
    expect(isSignedChannel(app, { socketId: '1.2', channel: 'private-b', auth: genuine })).toBe(
      false,
    )
  })
})
