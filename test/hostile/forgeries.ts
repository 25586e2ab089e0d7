/** Requests that another site, another person or another session makes in somebody's name. */

import { HEADERS } from '../../src/protocol/wire.ts'
import { issueCsrfToken } from '../../src/server/http/csrf.ts'
import { anyText, type Attack, draw } from './attack.ts'
import { bodyOf, type Headers, postText } from './requests.ts'
import type { Answer, Person, Target } from './target.ts'

const IDEMPOTENT = { [HEADERS.idempotencyKey]: 'forged-1234' }

/** A write that would be seen, under any token. */
const withToken = (person: Person, token: unknown, headers: Headers = {}) => {
  const calls = [{ method: 'prefer', params: ['theme', 'dark'] }]
  const body = { ...bodyOf(person, { snapshot: person.snapshots['shell'], calls }), _token: token }
  return postText(person, JSON.stringify(body), { ...IDEMPOTENT, ...headers })
}

/** Tokens of the right form that were made for somebody or something else. */
export function* foreignTokens({ people, elsewhere, admin }: Target): Iterable<Attack> {
  const { keys } = admin
  for (const person of Object.values(people)) {
    const send = (name: string, token: string): Attack => ({
      name,
      request: withToken(person, token),
      allowed: [419],
    })
    for (const other of [...Object.values(people), elsewhere])
      if (other !== person) {
        yield send(`token of ${other.email}`, other.csrf)
        yield send(`fresh token of ${other.email}`, issueCsrfToken(keys, other.session.lineage))
      }
    const holders = ['', 'null', 'undefined', person.id, person.session.id, person.email]
    for (const holder of [...holders, 'A'.repeat(22), person.cookie])
      yield send(`token for ${holder}`, issueCsrfToken(keys, holder))
    const [mask, keyId] = person.csrf.split('.') as [string, string, string]
    for (const purpose of ['snapshot', 'visitor'] as const) {
      const { mac } = keys.sign(purpose, `${mask}.${person.session.lineage}`)
      yield send(`token signed as ${purpose}`, `${mask}.${keyId}.${mac}`)
    }
    yield send(
      'another mask',
      person.csrf.replace(/^./, (char) => (char === 'A' ? 'B' : 'A')),
    )
  }
}

/** Whether only the name of its key tells the token from one of the right form. */
function isOfUnknownKey(text: string, csrf: string): boolean {
  const [parts, right] = [text.split('.'), csrf.split('.')]
  return (
    parts[1] !== right[1] &&
    parts.map(({ length }) => length).join() === right.map(({ length }) => length).join() &&
    parts.every((part) => /^[\w-]+$/.test(part))
  )
}

const isOutdated = ({ body }: Answer): string | undefined =>
  body.startsWith('{"components":[{"snapshot":"","effects":{"outdated":true}}],')
    ? undefined
    : 'says more than that the page is outdated'

/** Tokens that are none: missing, cut, grown, flipped, or of another type. */
export function* brokenTokens({ people: { admin } }: Target, count: number): Iterable<Attack> {
  const { csrf } = admin
  const texts = [
    '',
    ' ',
    '.',
    '..',
    'null',
    'undefined',
    csrf.slice(1),
    csrf.slice(0, -1),
    ` ${csrf}`,
    `${csrf} `,
    `${csrf}\n`,
    `${csrf}\0`,
    `${csrf}=`,
    csrf + csrf,
    csrf.toUpperCase(),
    csrf.replaceAll('.', ''),
    csrf.replaceAll('.', '%2e'),
    csrf.split('.').toReversed().join('.'),
    'x'.repeat(100_000),
    ...draw(anyText(90), count).filter((text) => text.isWellFormed()),
  ]
  for (let at = 0; at < csrf.length; at++)
    for (const bit of [1, 2, 4])
      texts.push(
        csrf.slice(0, at) + String.fromCharCode(csrf.charCodeAt(at) ^ bit) + csrf.slice(at + 1),
      )
  for (const text of texts)
    yield {
      name: `token ${JSON.stringify(text).slice(0, 60)}`,
      request: withToken(admin, text),
      // The key may be one of before a deploy, so the page is told to load anew, and nothing runs.
      ...(isOfUnknownKey(text, csrf) ? { allowed: [200], check: isOutdated } : { allowed: [419] }),
    }
  for (const value of [undefined, null, true, 0, 1, [], [csrf], {}, { 0: csrf }])
    yield {
      name: `token ${JSON.stringify(value)}`,
      request: withToken(admin, value),
      allowed: [419, 422],
    }
  // The token counts in the body, and nowhere else.
  for (const name of ['x-csrf-token', 'x-xsrf-token', 'csrf-token', 'authorization'])
    yield {
      name: `token in ${name}`,
      request: withToken(admin, '', { [name]: csrf }),
      allowed: [419],
    }
}

const ORIGINS = [
  'null',
  '',
  ' ',
  'http://evil.example',
  'https://evil.example',
  'http://localhost.evil.example',
  'http://evil.example/localhost',
  'http://evil.example#localhost',
  'http://evil.example?localhost',
  'http://localhost@evil.example',
  'http://evil.example\\@localhost',
  'http://sub.localhost',
  'http://localhost:81',
  'http://localhost:8080',
  'http://127.0.0.1',
  'http://[::1]',
  'http://localhost.',
  'http://ocalhost',
  'http://localhostt',
  'http://lоcalhost',
  'localhost',
  '//localhost',
  'file://',
  'file:///localhost',
  'data:text/html,localhost',
  'javascript:localhost',
  'about:blank',
  'blob:http://localhost/1',
  'chrome-extension://localhost.example',
  'http://localhost, http://evil.example',
  'http://evil.example, http://localhost',
  'undefined',
  '__proto__',
  'x'.repeat(8000),
]

const SITES = [
  'cross-site',
  'same-site',
  'Same-Origin',
  'SAME-ORIGIN',
  ' same-origin x',
  'same-origin, cross-site',
  'cross-site, same-origin',
  'same-origin;',
  '',
  'null',
  'true',
  'undefined',
  'none, cross-site',
]

/** What a browser says of other sites, whatever else is right. */
export function* origins({ people: { admin } }: Target): Iterable<Attack> {
  const send = (name: string, headers: Headers): Attack => ({
    name: `${name} ${JSON.stringify(headers).slice(0, 100)}`,
    request: withToken(admin, admin.csrf, { host: 'localhost', ...headers }),
    allowed: [419],
  })
  for (const origin of ORIGINS) {
    yield send('origin', { origin })
    yield send('origin', { origin, 'sec-fetch-site': 'same-origin' })
  }
  for (const site of SITES) {
    yield send('site', { 'sec-fetch-site': site })
    yield send('site', { 'sec-fetch-site': site, origin: 'http://localhost' })
  }
  for (const host of ['evil.example', 'localhost:81', 'localhost.evil.example', '', 'a b'])
    yield send('host', { host, origin: 'http://localhost' })
  for (const name of ['x-forwarded-host', 'forwarded', 'x-original-host', 'x-host'])
    yield send('forwarded', { [name]: 'evil.example', origin: 'http://evil.example' })
}

/** Without the session, or with something in its place. */
export function* strangers(target: Target, count: number): Iterable<Attack> {
  const { people, admin } = target
  const { sessionCookie: name } = admin
  const token = people.admin.cookie.slice(name.length + 1)
  const random = draw(anyText(60), count)
  const cookies = [
    '',
    name,
    `${name}=`,
    `${name}=${token.slice(1)}`,
    `${name}=${token}A`,
    `${name}="${token.slice(1)}"`,
    `${name}=${token.toLowerCase()}`,
    `${name}=${token.toUpperCase()}`,
    `${name.toUpperCase()}=${token}`,
    `${name}_visitor=${token}`,
    `${name}=%00`,
    `${name}=%zz`,
    `${name}=%ff%fe`,
    `${name}=${'A'.repeat(43)}`,
    `${name}=${people.admin.session.id}`,
    `${name}=${people.admin.session.lineage}`,
    `__proto__=${token}`,
    `constructor=${token}`,
    `toString=${token}; hasOwnProperty=1`,
    '=',
    '==',
    ';;;',
    `${'a=1; '.repeat(2000)}`,
    `${name}=' or 1=1 --`,
    `${name}=*`,
    ...random.map((text) => `${name}=${text}`),
  ]
  for (const cookie of cookies) {
    const { headers, ...rest } = withToken(people.admin, people.admin.csrf)
    yield {
      name: `cookie ${JSON.stringify(cookie).slice(0, 80)}`,
      request: { ...rest, headers: { ...headers, cookie } },
      allowed: [419],
    }
    yield {
      name: `page with cookie ${JSON.stringify(cookie).slice(0, 80)}`,
      request: { url: '/tables/strikes', headers: { cookie, [HEADERS.navigate]: '1' } },
      allowed: [401],
    }
    yield {
      name: `document with cookie ${JSON.stringify(cookie).slice(0, 80)}`,
      request: { url: '/you', headers: { cookie } },
      allowed: [303],
      check: ({ headers }) =>
        headers['location'] === '/sign-in?next=%2Fyou' ? undefined : headers['location'],
    }
  }
}

/** Without the marker, by another method, or with a key of another form. */
export function* markers({ people: { admin } }: Target, count: number): Iterable<Attack> {
  const request = withToken(admin, admin.csrf)
  const { [HEADERS.marker]: _, ...unmarked } = request.headers as Headers
  for (const headers of [{}, { 'x-tablewire_': '1' }, { xtablewire: '1' }, { 'x-livewire': '1' }])
    yield {
      name: `marked ${JSON.stringify(headers)}`,
      request: { ...request, headers: { ...unmarked, ...headers } },
      allowed: [400],
    }
  const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
  for (const method of methods)
    for (const override of ['POST', 'post', 'GET', '__proto__'])
      yield {
        name: `${method} as ${override}`,
        request: {
          ...request,
          method: method as 'GET',
          headers: { ...(request.headers as Headers), 'x-http-method-override': override },
        },
        allowed: [400, 404, 405],
      }
  const keys = [
    '',
    ' ',
    'short',
    'x'.repeat(65),
    'x'.repeat(10_000),
    'with space in it',
    'dot.dot.dot',
    'abcdefgh.123',
    'abcdefgh.',
    'äöüäöüäöü',
    'abcdefgh\0',
    "abcdefgh'",
    '12345678, 12345678',
    '../../../etc/passwd',
    '[object Object]',
    '{"a":"abcdefgh"}',
    ...draw(anyText(40), count).filter((key) => !/^[\w-]{8,64}(\.\d{1,2})?$/.test(key)),
  ]
  for (const key of keys)
    yield {
      name: `key ${JSON.stringify(key).slice(0, 60)}`,
      request: withToken(admin, admin.csrf, { [HEADERS.idempotencyKey]: key }),
      allowed: [400],
    }
  const { [HEADERS.idempotencyKey]: __, ...keyless } = request.headers as Headers
  yield { name: 'a write without a key', request: { ...request, headers: keyless }, allowed: [400] }
}
