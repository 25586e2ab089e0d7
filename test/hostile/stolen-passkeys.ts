/** Answers of passkeys that are of another origin, another question, another key or another time. */

import fc from 'fast-check'
import type { PageData } from '../../src/protocol/page.ts'
import type { SignInView } from '../../src/protocol/admin-view.ts'
import { HEADERS } from '../../src/protocol/wire.ts'
import { passkeyDevice } from '../passkey-device.ts'
import { anyText } from './attack.ts'
import type { Visitor } from './sign-ins.ts'
import { PASSWORD, type Target } from './target.ts'

const CLIENT = { address: '127.0.0.1', userAgent: 'hostile' }

export type Device = ReturnType<typeof passkeyDevice>

/** Somebody with a passkey, and the device that holds it. */
export async function makeDevice(target: Target, email: string, origin: string): Promise<Device> {
  const { accounts } = target.admin
  const link = await accounts.issueLink({ role: 'editor' })
  const entry = { name: 'Keyed', email, password: PASSWORD }
  const { actor } = await accounts.redeemLink(link, entry, CLIENT)
  const device = passkeyDevice({ origin })
  const question = await accounts.passkeys.begin({ actor, client: CLIENT }, PASSWORD, 'Phone')
  await accounts.passkeys.add(actor, device.create(question), 'Phone')
  return device
}

/** What the page of signing in asks of browsers. */
export async function questionOf(target: Target, { cookie }: Visitor): Promise<string> {
  const headers = { cookie, [HEADERS.navigate]: '1' }
  const { body } = await target.send({ url: '/sign-in', headers })
  const { content } = JSON.parse(body) as PageData // It is a page as data.
  return (content.data as { view: SignInView }).view.passkey ?? ''
}

/** What a thief makes of a question. `device` holds the key; `earlier` was asked before. */
export type Theft = {
  readonly name: string
  answer(device: Device, question: string, earlier: string): string
}

const ORIGINS = (origin: string): readonly string[] => [
  ...['http://evil.example', 'https://localhost:4600', 'http://localhost', 'http://localhost:4601'],
  ...[`${origin}.evil.example`, `${origin}/`, origin.toUpperCase(), ` ${origin}`, '', 'null'],
  ...['android:apk-key-hash:abc', 'http://127.0.0.1:4600', 'http://[::1]:4600', `${origin}#`],
]

const RP_IDS = ['evil.example', 'LOCALHOST', 'local', 'localhost.', '', 'host', '127.0.0.1']

type Answer = { response: Record<string, string> } & Record<string, unknown>

/** The answer with one part replaced. */
const altered =
  (alter: (answer: Answer) => object): Theft['answer'] =>
  (device, question) =>
    JSON.stringify(alter(JSON.parse(device.use(question)) as Answer)) // The device made it.

/** Flips one bit of one part: of a signature among its numbers, as what stands around them says nothing. */
const flipped = (part: string, at: number): Theft['answer'] =>
  altered((answer) => {
    const bytes = Buffer.from(answer.response[part] ?? '', 'base64url')
    const most = part === 'signature' ? 24 : bytes.length
    const place = bytes.length - 1 - (at % most)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (at % 8))
    return { ...answer, response: { ...answer.response, [part]: bytes.toString('base64url') } }
  })

export const thefts = (origin: string): fc.Arbitrary<Theft> =>
  fc.oneof(
    fc
      .oneof(fc.constantFrom(...ORIGINS(origin)), anyText(30))
      .filter((text) => text !== origin)
      .map((elsewhere): Theft => ({
        name: `of the origin ${JSON.stringify(elsewhere)}`,
        answer: (device, question) => device.with({ origin: elsewhere }).use(question),
      })),
    fc
      .oneof(fc.constantFrom(...RP_IDS), anyText(20))
      .filter((text) => text !== 'localhost')
      .map((rpId): Theft => ({
        name: `of the site ${JSON.stringify(rpId)}`,
        answer: (device, question) => device.with({ rpId }).use(question),
      })),
    fc
      .tuple(fc.constantFrom('signature', 'authenticatorData', 'clientDataJSON'), fc.nat(2000))
      .map(([part, at]): Theft => ({ name: `with another ${part}`, answer: flipped(part, at) })),
    fc.constantFrom<Theft>(
      {
        name: 'of an earlier question',
        answer: (device, _question, earlier) => device.use(earlier),
      },
      {
        name: 'without looking at its person',
        answer: (device, question) => device.with({ isVerified: false }).use(question),
      },
      {
        name: 'of another device',
        answer(_device, question) {
          const theirs = passkeyDevice({ origin })
          theirs.create(JSON.stringify({ challenge: 'x', rp: { id: 'localhost' } }))
          return theirs.use(question)
        },
      },
      {
        name: 'that makes a key',
        answer: (_device, question) => {
          const asked = { ...(JSON.parse(question) as object), rp: { id: 'localhost' } }
          return passkeyDevice({ origin }).create(JSON.stringify(asked))
        },
      },
    ),
    fc.constantFrom('id', 'rawId', 'type', 'response').chain((name) =>
      fc.oneof(anyText(20), fc.constantFrom(null, 1, {}, [])).map((value): Theft => ({
        name: `with ${name} ${JSON.stringify(value)}`,
        answer: altered((answer) => ({ ...answer, [name]: value })),
      })),
    ),
    anyText(60)
      .filter((text) => text !== '')
      .map((text): Theft => ({ name: 'of any text', answer: () => text })),
  )
