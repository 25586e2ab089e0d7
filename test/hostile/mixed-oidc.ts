/** Answers of an OpenID provider, mixed up in every way that a thief could. */

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { LyingProvider, Told } from '../oidc/lying-provider.ts'
import { anyText } from './attack.ts'
import type { Target } from './target.ts'

/** A way that was begun in a browser, which holds the cookie. */
export type Begun = {
  readonly state: string
  readonly nonce: string
  readonly cookie: string
}

/** One try: what the provider is told to say, and what the browser comes back with. */
export type Mixed = {
  readonly name: string
  readonly told?: Told
  readonly nonce?: (own: Begun, other: Begun) => string
  /** Of the address that the browser comes back to; `null` leaves one out. */
  readonly query?: (
    own: Begun,
    other: Begun,
  ) => Readonly<Record<string, string | readonly string[] | null>>
  readonly cookie?: (own: Begun, other: Begun) => string
  /** That it was used before. */
  readonly isSecond?: true
}

let visitors = 0

export async function begin(target: Target): Promise<Begun> {
  const remoteAddress = `10.9.${(++visitors >> 8) & 255}.${visitors & 255}`
  const { headers } = await target.send({ url: '/sign-in/oidc?next=/you', remoteAddress })
  const query = new URL(headers['location'] ?? '').searchParams
  const cookie = /tablewire_\w+_oidc=[^;]*/.exec(headers['set-cookie'] ?? '')?.[0] ?? ''
  return { state: query.get('state') ?? '', nonce: query.get('nonce') ?? '', cookie }
}

/** The address that the browser comes back to. */
export function backTo(
  { issuer }: LyingProvider,
  code: string,
  own: Begun,
  query: ReturnType<NonNullable<Mixed['query']>> = {},
): string {
  const honest = { code, state: own.state, iss: issuer }
  const pairs = Object.entries({ ...honest, ...query }).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return `/sign-in/oidc/back?${new URLSearchParams(pairs).toString()}`
}

const HOUR = 3600
const seconds = () => Math.floor(Date.now() / 1000)

/** What a token says that is none of this Tablewire’s. */
const CLAIMS: readonly (readonly [string, (provider: LyingProvider) => object])[] = [
  ['another issuer', () => ({ iss: 'https://evil.example' })],
  ['an issuer with a slash', ({ issuer }) => ({ iss: `${issuer}/` })],
  [
    'an issuer by another name',
    ({ issuer }) => ({ iss: issuer.replace('127.0.0.1', 'localhost') }),
  ],
  ['two issuers', ({ issuer }) => ({ iss: [issuer, issuer] })],
  ['no issuer', () => ({ iss: undefined })],
  ['another audience', () => ({ aud: 'another' })],
  ['another audience among others', () => ({ aud: ['another', 'third'] })],
  ['an audience in capitals', () => ({ aud: 'TABLEWIRE' })],
  ['an audience with a space', () => ({ aud: 'tablewire ' })],
  ['no audience', () => ({ aud: undefined })],
  ['an empty audience', () => ({ aud: [] })],
  ['several audiences for whom nobody says', () => ({ aud: ['tablewire', 'another'] })],
  ['another for whom it is', () => ({ aud: ['tablewire', 'another'], azp: 'another' })],
  ['another party alone', () => ({ azp: 'another' })],
  ['no nonce', () => ({ nonce: undefined })],
  ['an empty nonce', () => ({ nonce: '' })],
  ['a nonce of another kind', () => ({ nonce: 1 })],
  ['an end in the past', () => ({ exp: seconds() - HOUR })],
  ['no end', () => ({ exp: undefined })],
  ['an end of another kind', () => ({ exp: 'tomorrow' })],
  ['a beginning in the future', () => ({ nbf: seconds() + HOUR })],
  ['no time', () => ({ iat: undefined })],
  ['no subject', () => ({ sub: undefined })],
  ['an empty subject', () => ({ sub: '' })],
  ['a subject of another kind', () => ({ sub: { toString: 'ana' } })],
]

const SIGNED = ['by another', 'by the secret', 'by the public key', 'not at all', 'before'] as const
const HEADERS: readonly object[] = [
  {},
  { alg: 'none' },
  { alg: 'HS256' },
  { alg: 'RS512' },
  { alg: 'ES256' },
  { kid: 'two' },
  { kid: undefined },
  { crit: ['exp'] },
  { jku: 'https://evil.example/keys' },
]

/** All kinds of tries, drawn by chance. */
export function mixed(provider: LyingProvider): fc.Arbitrary<Mixed> {
  const claims = fc.constantFrom(...CLAIMS).map(([name, of]): Mixed => ({
    name: `a token with ${name}`,
    told: { claims: { ...of(provider) } },
  }))
  const signatures = fc
    .tuple(fc.constantFrom(...SIGNED), fc.constantFrom(...HEADERS))
    .map(([signed, header]): Mixed => ({
      name: `a token signed ${signed} ${JSON.stringify(header)}`,
      told: {
        ...{ signed, header: { ...header } },
        // What was signed before said something else.
        claims: { email: 'admin@example.org', groups: ['admins'] },
      },
    }))
  const nonces = fc
    .constantFrom<NonNullable<Mixed['nonce']>>(
      (_own, other) => other.nonce,
      ({ nonce }) => nonce.slice(1),
      ({ nonce }) => `${nonce}x`,
      ({ nonce }) => nonce.toLowerCase(),
      ({ state }) => state,
    )
    .map((nonce): Mixed => ({ name: `the nonce ${String(nonce)}`, nonce }))
  const answers = fc
    .constantFrom<object>(
      { id_token: undefined },
      { id_token: '' },
      { id_token: 'a.b.c' },
      { id_token: `${randomBytes(20).toString('base64url')}.e30.` },
      { access_token: undefined },
      { token_type: undefined },
      { token_type: 'mac' },
    )
    .map((answer): Mixed => ({
      name: `the answer ${JSON.stringify(answer)}`,
      told: { answer: { ...answer } },
    }))
  const others = fc
    .constantFrom<object>({ sub: 'another' }, { sub: undefined }, { sub: 1 }, { sub: '' })
    .map((more): Mixed => ({
      name: `what is told of ${JSON.stringify(more)}`,
      told: { more: { ...more } },
    }))
  return fc.oneof(claims, signatures, nonces, answers, others, queries(provider), cookies)
}

const queries = ({ issuer }: LyingProvider): fc.Arbitrary<Mixed> =>
  fc
    .oneof(
      fc.constantFrom<NonNullable<Mixed['query']>>(
        (_own, { state }) => ({ state }),
        () => ({ state: null }),
        () => ({ state: '' }),
        ({ state }) => ({ state: state.toLowerCase() }),
        ({ state }) => ({ state: `${state} ` }),
        ({ state }, other) => ({ state: [state, other.state] }),
        ({ nonce }) => ({ state: nonce }),
        () => ({ iss: null }),
        () => ({ iss: 'https://evil.example' }),
        () => ({ iss: `${issuer}/` }),
        () => ({ code: null }),
        () => ({ code: '' }),
        () => ({ code: ['one', 'two'] }),
        () => ({ error: 'access_denied' }),
        () => ({ error: 'login_required', error_description: '<b>no</b>' }),
        () => ({ code: null, id_token: 'a.b.c' }),
        () => ({ response: 'a.b.c' }),
      ),
      fc
        .tuple(fc.constantFrom('state', 'iss', 'code'), anyText(40))
        .map(([name, text]): NonNullable<Mixed['query']> => () => ({ [name]: text })),
    )
    .map((query): Mixed => ({ name: 'an address', query }))

const cookies: fc.Arbitrary<Mixed> = fc
  .oneof(
    fc.constantFrom<NonNullable<Mixed['cookie']>>(
      () => '',
      (_own, other) => other.cookie,
      ({ cookie }) => cookie.slice(0, -1),
      ({ cookie }) => `${cookie}A`,
      ({ cookie }) => cookie.replace('_oidc=', '='),
      ({ cookie }, other) => `${cookie.split('=')[0]}=${other.cookie.split('=')[1]?.slice(0, 20)}`,
    ),
    fc.nat(200).map((at): NonNullable<Mixed['cookie']> => ({ cookie }) => {
      const place = cookie.indexOf('=') + 1 + (at % (cookie.length - cookie.indexOf('=') - 1))
      const char = cookie[place] === 'A' ? 'B' : 'A'
      return cookie.slice(0, place) + char + cookie.slice(place + 1)
    }),
  )
  .chain((cookie) =>
    fc.constantFrom<Mixed>(
      { name: 'another cookie', cookie },
      { name: 'for the second time', isSecond: true },
    ),
  )
