/** The suite can fail: with one check after the other switched off, it reports failures. */

import * as v from 'valibot'
import { afterEach, describe, expect, test } from 'vitest'
import type { Purpose } from '../../src/server/keys.ts'
import { type Attack, attack, draw } from './attack.ts'
import { confusions } from './confusion.ts'
import { foreignTokens, origins } from './forgeries.ts'
import { flips, replays, splices } from './tampering.ts'
import { openTarget, type Target, type TargetOptions } from './target.ts'
import { recordWalks, tellApart, walks } from './walks.ts'
import { hidingPolicy, makeOffice, openPolicy, type World } from './worlds.ts'

const targets: Target[] = []

afterEach(async () => {
  for (const target of targets.splice(0)) await target.close()
})

async function open(world: World = 'one', options: TargetOptions = {}): Promise<Target> {
  const prepare = (file: string) => makeOffice(file, world)
  const target = await openTarget({ prepare, table: 'people', ...options })
  targets.push(target)
  return target
}

/** Every so many cases, so that as many kinds of them as possible come along. */
function* some(cases: Iterable<Attack>, every: number): Iterable<Attack> {
  let i = 0
  for (const one of cases) if (i++ % every === 0) yield one
}

/** MACs of a purpose are right, whatever they are. */
function trust({ admin: { keys } }: Target, purpose: Purpose): void {
  const verify = keys.verify.bind(keys)
  keys.verify = (asked, text, claimed) =>
    asked === purpose ? 'valid' : verify(asked, text, claimed)
}

type Family = (target: Target) => Iterable<Attack>

const forgeries: readonly [name: string, family: Family, every: number][] = [
  ['flipped bits', (target) => flips(target, 0.02), 1],
  ['spliced MACs', splices, 3],
]

describe.each(forgeries)('%s', (_name, family, every) => {
  test('are found where snapshots are not verified', async () => {
    const target = await open()
    trust(target, 'snapshot')
    const { cases, failures } = await attack(target, some(family(target), every))
    expect(failures.length).toBeGreaterThan(cases / 4)
  })

  test('and nothing is found where they are', async () => {
    const target = await open()
    expect((await attack(target, some(family(target), every))).failures).toEqual([])
  })
})

test('a replayed snapshot is found where people are not told apart', async () => {
  const target = await open()
  const { accounts } = target.admin
  const authenticate = accounts.authenticate.bind(accounts)
  accounts.authenticate = async (token) => {
    const found = await authenticate(token)
    return (
      found && { actor: { ...found.actor, id: 'x' }, session: { ...found.session, lineage: 'x' } }
    )
  }
  const [viewer, editor] = [await target.signIn('viewer'), await target.signIn('editor')]
  const people = { ...target.people, viewer, editor }
  const { failures } = await attack(target, replays({ ...target, people }))
  expect(failures.filter((text) => / of (viewer|editor)/.test(text)).length).toBeGreaterThan(0)
})

test('a value of any type is found where schemas allow everything', async () => {
  const [sound, target] = [await open(), await open()]
  for (const { actions, writable, ...component } of target.admin.components.values()) {
    const state = component.state(null)
    for (const action of actions.values()) Object.assign(action, { args: v.any() })
    for (const property of state.keys()) {
      ;(state as Map<string, unknown>).set(property, v.any())
      ;(writable as Set<string>).add(property)
    }
  }
  // The cases and what they expect come from a sound admin; the sabotaged one answers them.
  const asked = some(confusions({ ...sound, people: target.people }), 23)
  const { cases, failures } = await attack(target, asked)
  expect(failures.length).toBeGreaterThan(cases / 4)
})

test('a foreign token is found where tokens are not checked', async () => {
  const target = await open()
  trust(target, 'csrf')
  const { cases, failures } = await attack(target, foreignTokens(target))
  expect(failures.length).toBeGreaterThan(cases / 2)
})

test('another origin is found where nobody looks at it', async () => {
  const target = await open()
  const blind = (request: Attack['request']) => {
    const {
      origin: _,
      'sec-fetch-site': __,
      ...headers
    } = request.headers as Record<string, string>
    return target.send({ ...request, headers })
  }
  const { cases, failures } = await attack(target, origins(target), blind)
  expect(failures.length).toBeGreaterThan(cases / 2)
})

test('a hidden value is found where a policy grants everything', async () => {
  const worlds = [
    await open('one', { policy: openPolicy }),
    await open('two', { policy: openPolicy }),
  ] as const
  const found = []
  for (const walk of draw(walks, 25)) found.push(...(await tellApart(worlds, 'viewer', walk)))
  expect(found.length).toBeGreaterThan(10)
})

test.each(['rows', 'readable', 'actions'] as const)(
  'a hidden value is found where a policy leaves out its %s',
  async (part) => {
    const policy = {
      version: 'leaky',
      grant: (...[actor, table]: Parameters<typeof hidingPolicy.grant>) => ({
        ...hidingPolicy.grant(actor, table),
        [part]: openPolicy.grant(actor, table)[part],
      }),
    }
    const worlds = [await open('one', { policy }), await open('two', { policy })] as const
    const found: string[] = []
    for (const kind of [walks, recordWalks]) {
      found.length = 0
      for (const walk of draw(kind, 25)) found.push(...(await tellApart(worlds, 'viewer', walk)))
      expect(found.length).toBeGreaterThan(0)
    }
  },
)
