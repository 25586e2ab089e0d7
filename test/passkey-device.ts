/** A device for passkeys: what a browser and its authenticator do, without either. */

import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

export type PasskeyDevice = {
  /** Answers a question to make a key, as JSON. */
  create(question: string): string
  /** Answers a question to use one. */
  use(question: string): string
}

export type DeviceOptions = {
  /** What it says where it is. */
  readonly origin: string
  /** Whose key it makes or uses. Default: what the question says. */
  readonly rpId?: string
  /** Whether it has checked its person. Default: it has. */
  readonly isVerified?: boolean
  /** What it counts on from. Default: 0. */
  readonly counter?: number
}

type Key = { readonly id: Buffer; readonly privateKey: KeyObject }

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]

/** Devices that are made of another one have its keys. */
export function passkeyDevice(
  options: DeviceOptions,
  keys: Key[] = [],
): PasskeyDevice & {
  with(more: Partial<DeviceOptions>): PasskeyDevice
} {
  const { origin, rpId, isVerified = true } = options
  let counter = options.counter ?? 0
  const head = (relying: string, more: number) =>
    Buffer.concat([
      createHash('sha256')
        .update(rpId ?? relying)
        .digest(),
      Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | more]),
      uint32(counter),
    ])
  const said = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  return {
    create(question) {
      // The server has just made it.
      const { challenge, rp } = JSON.parse(question) as { challenge: string; rp: { id: string } }
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(32)
      keys.push({ id, privateKey })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const cose = map([
        ...(
          [
            [1, 2],
            [3, -7],
            [-1, 1],
          ] as const
        ).map(([k, v]) => [int(k), int(v)] as const),
        [int(-2), bytes(Buffer.from(x, 'base64url'))],
        [int(-3), bytes(Buffer.from(y, 'base64url'))],
      ])
      const data = Buffer.concat([
        head(rp.id, ATTESTED),
        Buffer.alloc(16),
        Buffer.from([0, 32]),
        id,
        cose,
      ])
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(data)],
      ])
      return answer(id, {
        clientDataJSON: url(said('webauthn.create', challenge)),
        attestationObject: url(attestation),
        transports: ['internal'],
      })
    },
    use(question) {
      const { challenge, rpId: asked } = JSON.parse(question) as { challenge: string; rpId: string }
      const key = keys.at(-1)
      if (!key) throw new Error('The device has no key.')
      counter += 1
      const [data, client] = [head(asked, 0), said('webauthn.get', challenge)]
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer(key.id, {
        ...{ clientDataJSON: url(client), authenticatorData: url(data) },
        signature: url(createSign('sha256').update(signed).sign(key.privateKey)),
      })
    },
    with: (more) => passkeyDevice({ ...options, counter, ...more }, keys),
  }
}

const url = (data: Buffer): string => data.toString('base64url')

const answer = (id: Buffer, response: object): string =>
  JSON.stringify({ id: url(id), rawId: url(id), type: 'public-key', response })

function uint32(value: number): Buffer {
  const data = Buffer.alloc(4)
  data.writeUInt32BE(value)
  return data
}

// As much of CBOR as an authenticator needs.
function headOf(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

const int = (value: number): Buffer => (value < 0 ? headOf(1, -1 - value) : headOf(0, value))
const bytes = (data: Buffer): Buffer => Buffer.concat([headOf(2, data.length), data])
const text = (value: string): Buffer => Buffer.concat([headOf(3, value.length), Buffer.from(value)])
const map = (pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([headOf(5, pairs.length), ...pairs.flat()])
