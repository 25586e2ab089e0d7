/** Snapshots tampered with: flipped, cut, grown, spliced, replayed and out of date. */

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Snapshot } from '../../src/protocol/wire.ts'
import { KEY_ID_LENGTH, MAC_LENGTH, type Purpose } from '../../src/server/keys.ts'
import { sealSnapshot } from '../../src/server/lifecycle/snapshot.ts'
import { type Attack, draw } from './attack.ts'
import { update } from './requests.ts'
import type { Answer, Person, Target } from './target.ts'

/** What every forged snapshot is answered with, to the byte. */
const FORGED = '{"error":{"code":"PAGE_EXPIRED","message":"This page has expired."}}'
/** How many characters a snapshot ends in after its body. */
const TAIL_LENGTH = ',"checksum":"1.."}'.length + KEY_ID_LENGTH + MAC_LENGTH

/** Calls that would leave a trace, if a forged snapshot let them through. */
const CALLS: Readonly<Record<string, { method: string; params: unknown[] }>> = {
  list: { method: 'sortBy', params: ['id', false] },
  shell: { method: 'prefer', params: ['theme', 'dark'] },
}

const NAMES = Object.keys(CALLS)

/** A forged snapshot: refused as expired, in the same words each time. */
const forged = (name: string, person: Person, component: string, snapshot: unknown): Attack => ({
  name: `${component} ${name}`,
  request: update(person, { snapshot, calls: [CALLS[component]!] }),
  allowed: [419],
  check: ({ body }) => (body === FORGED ? undefined : `another body: ${body.slice(0, 200)}`),
})

/** A snapshot that is genuine but old: the page is told to fetch itself anew. */
const outdated = (name: string, person: Person, component: string, snapshot: string): Attack => ({
  name: `${component} ${name}`,
  request: update(person, { snapshot, calls: [CALLS[component]!] }),
  allowed: [200],
  check: (answer) => (isOutdated(answer) ? undefined : `not outdated: ${answer.body}`),
})

const isOutdated = ({ body }: Answer) =>
  body.startsWith('{"components":[{"snapshot":"","effects":{"outdated":true')

/** One that names a key or a format that is not known may be called old as well. */
function doubtful(name: string, person: Person, component: string, snapshot: string): Attack {
  const { request } = forged(name, person, component, snapshot)
  return {
    name: `${component} ${name}`,
    request,
    allowed: [200, 419],
    check: (answer) =>
      answer.body === FORGED || isOutdated(answer) ? undefined : `accepted: ${answer.body}`,
  }
}

/** Where the format and the key's id stand: what they say is not proof of forgery. */
function namesKey(snapshot: string, at: number): boolean {
  const end = snapshot.length - '"}'.length - MAC_LENGTH - 1
  return at >= end - KEY_ID_LENGTH - '1.'.length && at < end
}

/** Every bit of every character, or as many of them as there is time for. */
export function* flips({ people: { admin } }: Target, share: number): Iterable<Attack> {
  for (const component of NAMES) {
    const genuine = admin.snapshots[component]!
    const count = Math.round(genuine.length * 7 * share)
    const places = fc.record({ at: fc.nat(genuine.length - 1), bit: fc.nat(6) })
    for (const { at, bit } of draw(places, count)) {
      const flipped = String.fromCharCode(genuine.charCodeAt(at) ^ (1 << bit))
      const snapshot = genuine.slice(0, at) + flipped + genuine.slice(at + 1)
      const make = namesKey(genuine, at) ? doubtful : forged
      yield make(`bit ${bit} of ${at}`, admin, component, snapshot)
    }
  }
}

/** Cut off at either end, at every length. */
export function* truncations({ people: { admin } }: Target): Iterable<Attack> {
  for (const component of NAMES) {
    const genuine = admin.snapshots[component]!
    for (let at = 0; at < genuine.length; at++) {
      yield forged(`first ${at}`, admin, component, genuine.slice(0, at))
      if (at > 0) yield forged(`without the first ${at}`, admin, component, genuine.slice(at))
    }
  }
}

const SCRAPS = ['"', '}', '{', ',', ' ', '\\', '\0', '\n', 'A', '0', '=', '.', 'é', '\u200b']

/** Characters put in, left out, doubled and exchanged. */
export function* edits({ people: { admin } }: Target, count: number): Iterable<Attack> {
  const edit = fc.record({
    component: fc.constantFrom(...NAMES),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    gone: fc.integer({ min: 0, max: 3 }),
    put: fc.oneof(fc.constantFrom(...SCRAPS), fc.string({ maxLength: 6 })),
  })
  for (const { component, at, gone, put } of draw(edit, count)) {
    const genuine = admin.snapshots[component]!
    const place = Math.floor(at * genuine.length)
    const snapshot = genuine.slice(0, place) + put + genuine.slice(place + gone)
    if (snapshot === genuine) continue
    const names = Array.from({ length: gone + 1 }, (_, i) => namesKey(genuine, place + i))
    const make = names.some(Boolean) ? doubtful : forged
    yield make(`${gone} at ${place} become ${JSON.stringify(put)}`, admin, component, snapshot)
  }
}

const macOf = (snapshot: string) => snapshot.slice(-2 - MAC_LENGTH, -2)
const withMac = (snapshot: string, mac: string) => `${snapshot.slice(0, -2 - MAC_LENGTH)}${mac}"}`

/** MACs that are genuine, but of something else. */
export function* splices({ people, elsewhere, admin }: Target): Iterable<Attack> {
  const everyone = [...Object.values(people), elsewhere]
  const snapshots = everyone.flatMap((person) =>
    NAMES.map((component) => ({ person, component, text: person.snapshots[component]! })),
  )
  for (const { person, component, text } of snapshots)
    for (const other of snapshots)
      if (other.text !== text)
        yield forged('with the MAC of another', person, component, withMac(text, macOf(other.text)))
  const purposes: Purpose[] = ['csrf', 'visitor']
  for (const { person, component, text } of snapshots) {
    const body = text.slice(0, text.lastIndexOf(',"checksum":'))
    for (const purpose of purposes)
      for (const signed of [body, text])
        yield forged(
          `signed as ${purpose}`,
          person,
          component,
          withMac(text, admin.keys.sign(purpose, signed).mac),
        )
    yield forged(
      'with the MAC of a token',
      person,
      component,
      withMac(text, macOf(`${person.csrf}"}`)),
    )
  }
}

/** Snapshots that are right, in the hands of somebody else or from another time. */
export function* replays({ people, elsewhere, admin }: Target): Iterable<Attack> {
  const everyone = Object.values(people)
  for (const person of everyone)
    for (const other of [...everyone, elsewhere])
      for (const component of NAMES) {
        if (other === person) continue
        const make = other.id === person.id ? outdated : forged
        yield make(`of ${other.email}`, person, component, other.snapshots[component]!)
      }
  for (const component of NAMES) {
    const { data, memo } = JSON.parse(people.admin.snapshots[component]!) as Snapshot
    const sealed = (change: Partial<typeof memo>, state = data) =>
      sealSnapshot(admin.keys, state, { ...memo, ...change })
    const send = (make: typeof forged, name: string, change: Partial<typeof memo>) =>
      make(name, people.admin, component, sealed(change))
    yield send(outdated as typeof forged, 'of another build', { build: 'another' })
    yield send(outdated as typeof forged, 'of another lineage', { lineage: 'another' })
    yield send(outdated as typeof forged, 'of a component that is gone', { name: 'gone' })
    for (const name of ['__proto__', 'constructor', 'toString', ''])
      yield send(outdated as typeof forged, `of [${name}]`, { name })
    yield send(forged, 'of another user', { user: people.viewer.id })
    yield send(forged, 'of nobody', { user: '' })
  }
}

/** Values where a snapshot or its MAC should be. */
export function* oddities({ people: { admin } }: Target): Iterable<Attack> {
  for (const component of NAMES) {
    const genuine = admin.snapshots[component]!
    const mac = macOf(genuine)
    const macs = ['', 'A', mac.slice(0, 31), mac.slice(0, -1), `${mac}A`, mac.repeat(2), `${mac}=`]
    for (const odd of [...macs, mac.toLowerCase(), ' '.repeat(MAC_LENGTH), '\0'.repeat(MAC_LENGTH)])
      yield forged(`MAC ${odd.length} long`, admin, component, withMac(genuine, odd))
    // Two bits of the last character mean nothing: other spellings of the same bytes.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (last !== mac.at(-1))
        yield forged('MAC respelt', admin, component, withMac(genuine, mac.slice(0, -1) + last))
    const parsed = JSON.parse(genuine) as Snapshot
    const respelt = [
      JSON.stringify(parsed, null, 1),
      JSON.stringify({ memo: parsed.memo, data: parsed.data, checksum: parsed.checksum }),
      genuine.replace('"data"', String.raw`"\u0064ata"`),
      `${genuine} `,
      ` ${genuine}`,
      `\ufeff${genuine}`,
      genuine + genuine,
      `[${genuine}]`,
      genuine.replace(',"memo"', ', "memo"'),
      genuine.normalize('NFD').replace('{', '{"x":1,'),
      '{}',
      'null',
      '[]',
      randomBytes(32).toString('base64url'),
      genuine.padStart(130_000),
      `${'x'.repeat(130_000)}${genuine.slice(-TAIL_LENGTH)}`,
    ]
    for (const [i, text] of respelt.entries()) yield forged(`respelt ${i}`, admin, component, text)
    const values = [null, 0, 1, true, [], {}, [genuine], { 0: genuine }, JSON.parse(genuine)]
    for (const value of values)
      yield {
        name: `${component} as ${JSON.stringify(value).slice(0, 20)}`,
        request: update(admin, { snapshot: value, calls: [CALLS[component]!] }),
        allowed: [422],
      }
    yield {
      name: `${component} MAC of a megabyte`,
      request: update(admin, { snapshot: withMac(genuine, 'A'.repeat(1024 * 1024)) }),
      allowed: [413],
    }
  }
}
