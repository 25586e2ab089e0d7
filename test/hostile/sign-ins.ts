/** Attacks on the doors that people come in by. */

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { SignInView } from '../../src/protocol/admin-view.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { HEADERS } from '../../src/protocol/wire.ts'
import { issueCsrfToken } from '../../src/server/http/csrf.ts'
import { anyText, type Attack, draw } from './attack.ts'
import { INJECTIONS } from './injections.ts'
import { ELSEWHERE, wrongWith } from './redirects.ts'
import { type Answer, type HostileRequest, PASSWORD, type Target } from './target.ts'

/** A browser in which nobody is signed in, with the sign-in form open. */
export type Visitor = { readonly cookie: string; readonly csrf: string }

export async function openForm(target: Target): Promise<Visitor> {
  const answer = await target.send({ url: '/sign-in', headers: { [HEADERS.navigate]: '1' } })
  const cookie = answer.headers['set-cookie']!.split(';', 1)[0]!
  return { cookie, csrf: (JSON.parse(answer.body) as PageData).csrf }
}

let visitors = 0

/** A form as a browser posts it, each from an address of its own. */
export const postForm = (
  url: string,
  { cookie }: Pick<Visitor, 'cookie'>,
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): HostileRequest => ({
  method: 'POST',
  url,
  remoteAddress: `10.${++visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`,
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
})

const staysHere = ({ status, headers }: Answer): string | undefined =>
  status === 303 ? wrongWith(headers['location']) : undefined

const noSession =
  ({ admin }: Target) =>
  ({ headers }: Answer): string | undefined =>
    (headers['set-cookie'] ?? '').includes(`${admin.sessionCookie}=`) ? 'a session' : undefined

/** Places to go on to, for somebody who is signed in and for somebody who is not. */
export function* destinations({ people: { admin } }: Target): Iterable<Attack> {
  for (const next of ELSEWHERE) {
    const url = `/sign-in?next=${encodeURIComponent(next)}`
    yield {
      name: `on to ${JSON.stringify(next).slice(0, 60)}`,
      request: { url, headers: { cookie: admin.cookie } },
      allowed: [303],
      check: staysHere,
    }
    yield {
      name: `form with ${JSON.stringify(next).slice(0, 60)}`,
      request: { url, headers: { [HEADERS.navigate]: '1' } },
      allowed: [200],
      check({ body }) {
        const { content } = JSON.parse(body) as PageData
        if (content.page !== 'sign-in') return 'another page'
        const { next } = (content.data as { view: SignInView }).view
        return wrongWith(encodeURI(next))
      },
    }
    yield {
      name: `raw ${JSON.stringify(next).slice(0, 60)}`,
      request: {
        url: `/sign-in?next=${encodeURI(next)}&next=/`,
        headers: { cookie: admin.cookie },
      },
      allowed: [303, 400],
      check: staysHere,
    }
    // Sent to the sign-in page, which is told where they came from.
    yield {
      name: `from ${JSON.stringify(next).slice(0, 60)}`,
      request: { url: `/you?a=${encodeURIComponent(next)}` },
      allowed: [303],
      check: staysHere,
    }
  }
}

/** The right password, and more than forty places to go on to afterwards: hashing takes its time. */
export function* goodSignIns(target: Target, visitor: Visitor): Iterable<Attack> {
  const { editor, viewer, admin } = target.people
  const emails = [editor, viewer, admin].map(({ email }) => email)
  for (const [i, next] of ELSEWHERE.filter((_, i) => i % 9 < 5).entries()) {
    // Five attempts an account and minute.
    if (i % 15 === 0) target.advance(61_000)
    const fields = { _token: visitor.csrf, email: emails[i % 3]!, password: PASSWORD, next }
    yield {
      name: `sign in to ${JSON.stringify(next).slice(0, 60)}`,
      request: postForm('/sign-in', visitor, fields),
      allowed: [303],
      check: staysHere,
    }
  }
}

/** Forms with tokens that are wrong, and browsers that say so. */
export function* forgedForms(target: Target, visitor: Visitor): Iterable<Attack> {
  const { people, admin } = target
  const fields = { email: people.editor.email, password: PASSWORD, next: '/' }
  const { csrf } = visitor
  const tokens = [
    '',
    'x',
    csrf.slice(1),
    `${csrf}x`,
    csrf.toUpperCase(),
    people.editor.csrf,
    people.admin.csrf,
    issueCsrfToken(admin.keys, ''),
    issueCsrfToken(admin.keys, 'A'.repeat(22)),
    issueCsrfToken(admin.keys, people.editor.session.lineage),
    ...Array.from(
      csrf,
      (char, at) => csrf.slice(0, at) + (char === 'A' ? 'B' : 'A') + csrf.slice(at + 1),
    ),
  ].filter((token) => token !== csrf)
  const refused = (name: string, request: HostileRequest): Attack => ({
    name,
    request,
    allowed: [419],
    check: noSession(target),
  })
  for (const _token of tokens) {
    yield refused('sign in by a wrong token', postForm('/sign-in', visitor, { ...fields, _token }))
    const out = postForm('/sign-out', { cookie: people.editor.cookie }, { _token })
    if (_token !== people.editor.csrf && _token !== tokens[9])
      yield refused('sign out by a wrong token', out)
  }
  const good = { ...fields, _token: csrf }
  for (const cookie of [
    '',
    visitor.cookie.slice(0, -1),
    `${visitor.cookie}A`,
    visitor.cookie.replace('_visitor', ''),
  ])
    yield refused('without the visitor’s cookie', postForm('/sign-in', { cookie }, good))
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    yield refused('from another site', postForm('/sign-in', visitor, good, headers))
    const { cookie, csrf: _token } = people.editor
    yield refused('out from another site', postForm('/sign-out', { cookie }, { _token }, headers))
  }
}

/** Fields of every kind and size. */
export function* oddForms(target: Target, visitor: Visitor, count: number): Iterable<Attack> {
  const token = `_token=${encodeURIComponent(visitor.csrf)}`
  const check = noSession(target)
  const texts = [
    `${token}&${token}`,
    `${token}&email=a&email=b`,
    `${token}&email[]=a`,
    `${token}&email[a]=b`,
    `${token}&__proto__=a&constructor=b&__proto__[polluted]=1`,
    `${token}&email=%zz&password=%ff`,
    `${token}&email=%00`,
    `${token}&email=a%0d%0aBcc:b`,
    '%',
    '=',
    '&&&',
    '__proto__=1',
    `${token}${'&a=1'.repeat(3000)}`,
    ...draw(anyText(30), count),
  ]
  for (const text of texts)
    yield {
      name: `form ${JSON.stringify(text.replace(visitor.csrf, '…')).slice(0, 60)}`,
      request: postForm('/sign-in', visitor, text),
      allowed: [400, 401, 413, 419, 422],
      check,
    }
  for (const size of [17 * 1024, 300 * 1024])
    yield {
      name: `a form of ${size}`,
      request: postForm('/sign-in', visitor, `${token}&email=${'a'.repeat(size)}`),
      allowed: [413],
    }
  for (const type of [
    'text/plain',
    'multipart/form-data; boundary=a',
    'application/xml',
    '',
    'a/b',
  ])
    yield {
      name: `a form as ${type}`,
      request: postForm('/sign-in', visitor, token, { 'content-type': type }),
      allowed: [415],
    }
  for (const body of [
    'null',
    '[]',
    '"a"',
    '1',
    '{"_token":1}',
    '{"email":{"$gt":""},"password":{"$gt":""}}',
    '{"__proto__":1}',
  ])
    yield {
      name: `JSON ${body}`,
      request: postForm('/sign-in', visitor, body, { 'content-type': 'application/json' }),
      allowed: [400, 415, 419, 422],
      check,
    }
}

/** Second steps that nobody has begun, by codes, set-ups and passkeys. */
export function* guessedSteps(target: Target, visitor: Visitor, count: number): Iterable<Attack> {
  const check = noSession(target)
  const { keys } = target.admin
  const { id } = target.people.admin
  const soon = Date.now() + 3_600_000
  const guesses = [
    ...draw(fc.nat(), count).map(() => randomBytes(60).toString('base64url')),
    // Sealed here, but for something else, or with the keys of forms.
    keys.seal('second step', `${id} ${soon} x`),
    keys.seal('second step', `${id} ${soon}`),
    keys.seal('rows', id),
    target.people.admin.csrf,
    target.people.admin.cookie.split('=')[1]!,
    id,
    ...INJECTIONS.filter((_, i) => i % 9 === 0),
  ]
  for (const [at, guess] of guesses.filter((text) => text.isWellFormed()).entries()) {
    if (at % 15 === 0) target.advance(61_000)
    const [more, what] = (
      [
        [{ code: '123456' }, 'code'],
        [{ code: '123456', sealed: guess }, 'set-up'],
        [{ passkey: guess }, 'passkey'],
        [{ passkey: '{"id":"a","rawId":"a","type":"public-key","response":{}}' }, 'answer'],
      ] as const
    )[at % 4]!
    yield {
      name: `${what} of the step ${JSON.stringify(guess).slice(0, 60)}`,
      request: postForm('/sign-in', visitor, {
        _token: visitor.csrf,
        step: guess,
        next: '/',
        ...more,
      }),
      // Without `url` there are no passkeys.
      allowed: [401, 404, 413, 419, 429],
      check,
    }
  }
}

/** One-time links that nobody was given. */
export function* guessedLinks(target: Target, visitor: Visitor, count: number): Iterable<Attack> {
  const check = noSession(target)
  const guesses = [
    ...draw(fc.nat(), count).map(() => randomBytes(32).toString('base64url')),
    'A'.repeat(43),
    '_'.repeat(43),
    'A'.repeat(42),
    'A'.repeat(44),
    'A'.repeat(1900),
    target.people.admin.session.id,
    target.people.admin.cookie.split('=')[1]!,
    ...INJECTIONS.filter((_, i) => i % 5 === 0),
  ]
  const person = { name: 'Eve', email: 'eve@evil.example', password: PASSWORD }
  for (const guess of guesses.filter((text) => text.isWellFormed())) {
    const url = `/sign-in/link/${encodeURIComponent(guess)}`
    const name = `link ${JSON.stringify(guess).slice(0, 50)}`
    yield {
      name,
      request: { url, headers: { [HEADERS.navigate]: '1' } },
      allowed: [400, 404, 422],
      check,
    }
    const request = postForm(url, visitor, { _token: visitor.csrf, ...person })
    yield { name: `${name} redeemed`, request, allowed: [400, 404, 422], check }
  }
}
