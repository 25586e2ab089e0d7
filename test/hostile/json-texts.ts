/** Texts that are no JSON, or JSON that parsers disagree about. */

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { UPDATE_LIMITS } from '../../src/protocol/wire.ts'
import { type Attack, draw } from './attack.ts'
import { bodyOf, postText } from './requests.ts'
import type { Person, Target } from './target.ts'

const MALFORMED = [400]
const bytes = (...values: readonly number[]) => Buffer.from(values)

/** Texts that stand for nothing at all. */
const BROKEN: readonly (string | Buffer)[] = [
  '',
  ' ',
  '\n',
  '\0',
  '{',
  '}',
  '[',
  ']',
  '{}}',
  '[]]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '[1,]',
  '[,1]',
  '{,}',
  '{a:1}',
  "{'a':1}",
  '{"a":1 "b":2}',
  '{"a" 1}',
  '"',
  '"a',
  '"\\"',
  '"\\x41"',
  '"\\u12"',
  '"\t"',
  '"\n"',
  'nul',
  'True',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '[NaN]',
  '[Infinity]',
  '[1e400]',
  '[-1e400]',
  `[1${'0'.repeat(400)}]`,
  `[${'9'.repeat(200_000)}]`,
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  '1_000',
  '--1',
  '1e',
  '// comment\n{}',
  '/* comment */{}',
  '{} // comment',
  '# comment\n{}',
  '{}{}',
  '{}\n{}',
  '\ufeff{}',
  '\u00a0{}',
  '{}\u2028',
  ")]}',\n{}",
  '<xml/>',
  '_token=a&components=b',
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1,"c":2,"b":3}}',
  '{"__proto__":{"polluted":true}}',
  '{"\\u005f_proto__":{"polluted":true}}',
  '{"a":{"__proto__":{"polluted":true}}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '[{"prototype":1}]',
  '["\\ud800"]',
  '["\\udc00\\ud800"]',
  '{"\\ud800":1}',
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.from('\ufeff{"a":1}', 'utf16le'),
  Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from('{}')]),
  Buffer.concat([bytes(0xfe, 0xff), Buffer.from('{}')]),
  bytes(0x22, 0xff, 0x22),
  bytes(0x22, 0xc0, 0x80, 0x22),
  bytes(0x22, 0xc0, 0xaf, 0x22),
  bytes(0x22, 0xe0, 0x80, 0xaf, 0x22),
  bytes(0x22, 0xed, 0xa0, 0x80, 0x22),
  bytes(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22),
  bytes(0x22, 0xc3, 0x22),
  bytes(0x22, 0x80, 0x22),
  bytes(0x22, 0xf0, 0x9f, 0x98, 0x22),
  gzipSync('{}'),
]

/** JSON that is right in itself and no request. */
const OTHER: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '""',
  '[]',
  '{}',
  '[{}]',
  '{"_token":""}',
  '{"components":[]}',
  '{"_token":"a","components":[]}',
  '{"_token":"a","components":{}}',
  '{"_token":"a","components":[null]}',
  '{"_token":"a","components":[{}]}',
  '{"_token":null,"components":[{"snapshot":"","updates":{},"calls":[]}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":[],"calls":[]}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":null,"calls":[]}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":{},"calls":{}}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":{},"calls":[null]}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":{},"calls":[{"method":"a"}]}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":{},"calls":[],"type":"x"}]}',
  '{"_token":"a","components":[{"snapshot":"","updates":{},"calls":[]}],"extra":1}',
  '[9007199254740993, 2.2250738585072011e-308, 1e-400, 123456789012345678901234567890]',
]

export function* texts({ people: { admin } }: Target): Iterable<Attack> {
  const send = (name: string, text: string | Buffer, allowed: readonly number[]): Attack => ({
    name,
    request: postText(admin, text),
    allowed,
  })
  const whole = JSON.stringify(bodyOf(admin, { snapshot: admin.snapshots['list'] }))
  for (const [i, text] of BROKEN.entries()) {
    yield send(`broken ${i}`, text, i === 0 ? [400, 422] : MALFORMED)
    // The same within a request that is otherwise right.
    const inside = Buffer.from(whole.replace('"updates":{}', '"updates":{"search":@}'))
    const at = inside.indexOf('@')
    const parts = [inside.subarray(0, at), Buffer.from(text), inside.subarray(at + 1)]
    // A text between comments or blanks may be sound where a value is wanted.
    yield send(`broken ${i} inside`, Buffer.concat(parts), [400, 422])
  }
  for (const text of OTHER) yield send(text, text, [422])
  for (const depth of [UPDATE_LIMITS.depth + 1, 100, 1000, 9000, 50_000, 120_000]) {
    yield send(`${depth} lists`, '['.repeat(depth) + ']'.repeat(depth), MALFORMED)
    yield send(`${depth} lists left open`, '['.repeat(depth), MALFORMED)
    yield send(`${depth} lists closed`, ']'.repeat(depth), MALFORMED)
    if (depth < 20_000)
      yield send(`${depth} objects`, '{"a":'.repeat(depth) + '1' + '}'.repeat(depth), MALFORMED)
    yield send(`${depth} strings`, '"'.repeat(depth), MALFORMED)
    yield send(`${depth} backslashes`, `"${'\\'.repeat(depth * 2)}"`, [400, 422])
  }
  yield send('200,000 lists', '['.repeat(200_000), MALFORMED)
  yield send('a list of 100,000', `[${'1,'.repeat(100_000)}1]`, [422])
  yield send(
    '20,000 keys',
    `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()}}`,
    [422],
  )
  yield send('5 MB of text', `"${'x'.repeat(5 * 1024 * 1024)}"`, [413])
  yield send('5 MB of blanks', ' '.repeat(5 * 1024 * 1024), [413])
  yield send('one byte too much', `"${'x'.repeat(UPDATE_LIMITS.bodyBytes - 1)}"`, [413])
  yield* counts(admin)
}

/** More of everything than one request may hold. */
function* counts(admin: Person): Iterable<Attack> {
  const part = { snapshot: admin.snapshots['shell'] }
  const none = { method: 'total', params: [] }
  const { components, calls, updates } = UPDATE_LIMITS
  const many = (length: number) => Array.from({ length }, (_, i) => [`search${i}`, ''])
  const bodies = {
    components: bodyOf(admin, ...Array.from({ length: components + 1 }, () => part)),
    calls: bodyOf(admin, { ...part, calls: Array.from({ length: calls + 1 }, () => none) }),
    'calls in all': bodyOf(
      admin,
      ...Array.from({ length: 3 }, () => ({ ...part, calls: Array(8).fill(none) })),
    ),
    updates: bodyOf(admin, { ...part, updates: Object.fromEntries(many(updates + 1)) }),
  }
  for (const [name, body] of Object.entries(bodies))
    yield {
      name: `too many ${name}`,
      request: postText(admin, JSON.stringify(body)),
      allowed: [422],
    }
}

/** A genuine request with bytes changed, lost, doubled or put in. */
export function* garbled({ people: { admin } }: Target, count: number): Iterable<Attack> {
  const snapshot = admin.snapshots['list']
  const genuine = Buffer.from(
    JSON.stringify(
      bodyOf(admin, {
        snapshot,
        updates: { search: 'gull' },
        calls: [{ method: 'turnPage', params: ['next'] }],
      }),
    ),
  )
  const garble = fc.record({
    at: fc.nat(genuine.length - 1),
    gone: fc.integer({ min: 0, max: 4 }),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc
        .constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'null', '1e999', '"a":1,', '\\u0000')
        .map((text) => Buffer.from(text)),
    ),
  })
  for (const { at, gone, put } of draw(garble, count)) {
    const text = Buffer.concat([genuine.subarray(0, at), put, genuine.subarray(at + gone)])
    yield {
      name: `${gone} at ${at} become ${Buffer.from(put).toString('hex')}`,
      request: postText(admin, text),
      // Some changes make another sound request: another search, another direction.
      allowed: [200, 400, 404, 419, 422],
    }
  }
}

/** Random JSON as a whole request, and as its parts. */
export function* strangers({ people: { admin } }: Target, count: number): Iterable<Attack> {
  for (const text of draw(fc.json({ maxDepth: 4 }), count))
    yield { name: text.slice(0, 60), request: postText(admin, text), allowed: [400, 422] }
  for (const value of draw(fc.json({ maxDepth: 3 }), count))
    yield {
      name: `components ${value.slice(0, 60)}`,
      request: postText(admin, `{"_token":"${admin.csrf}","components":[${value}]}`),
      allowed: [400, 419, 422],
    }
}
