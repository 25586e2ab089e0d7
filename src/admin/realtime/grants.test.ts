import type { FastifyRequest } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { Grants, type GrantReview } from './grants.ts'

// Nothing reads these requests but the test.
const request = (lineage: string) => ({ lineage }) as unknown as FastifyRequest

let grants: Grants
/** Sessions that are over, channels that nobody may join, and whether the server answers. */
let over: Set<string>
let closed: Set<string>
let answers: boolean
let ended: string[]
let asked: string[]
/** What is thrown instead of an answer, by session or channel, and what was reported. */
let thrown: Map<string, Error>
let reported: unknown[]

const actor = (id: string): Actor => ({ id, name: id, email: '', role: 'editor' })

const parts: GrantReview = {
  inPassing: (given) => ({ ...given }),
  rules: {
    async allows(channel, { id }) {
      asked.push(`${id} ${channel}`)
      throwFor(channel)
      return !closed.has(channel)
    },
  },
  async stillSignedIn(of) {
    const { lineage } = of as unknown as { lineage: string }
    throwFor(lineage)
    if (over.has(lineage)) return undefined
    return { actor: actor(lineage.split(' ')[0]!), session: { lineage } } as never
  },
  async terminate(person) {
    ended.push(person)
    return answers
  },
  report: (error) => reported.push(error),
}

function throwFor(name: string): void {
  const error = thrown.get(name)
  if (error) throw error
}

beforeEach(() => {
  grants = new Grants()
  over = new Set()
  closed = new Set()
  answers = true
  ended = []
  asked = []
  thrown = new Map()
  reported = []
})

/** A session is called after its person. */
const join = (lineage: string, channel: string, at = 0) =>
  grants.add({ channel, person: lineage.split(' ')[0]!, lineage, request: request(lineage) }, at)

test('whoever is signed out, or may no longer be on a channel, is ended once', async () => {
  join('ana 1', 'private-a')
  join('ben 1', 'private-a')
  join('eve 1', 'private-b')
  await grants.review(parts)
  expect(ended).toEqual([])
  over.add('ana 1')
  closed.add('private-b')
  await grants.review(parts)
  await grants.review(parts)
  expect(ended).toEqual(['ana', 'eve'])
})

test('what throws for one person ends them alone, and is reported once', async () => {
  const [broken, unsure] = [new Error('rule'), new Error('sign-in')]
  thrown.set('private-a', broken).set('eve 1', unsure)
  join('ana 1', 'private-a')
  join('ana 2', 'private-a')
  join('eve 1', 'private-b')
  join('ben 1', 'private-b')
  join('zoe 1', 'private-c')
  closed.add('private-c')
  await grants.review(parts)
  expect(ended.toSorted()).toEqual(['ana', 'eve', 'zoe'])
  expect(new Set(reported)).toEqual(new Set([broken, unsure]))
  expect(reported).toHaveLength(2)
})

test('whoever cannot be asked about for now stays, and is asked about again', async () => {
  const away = new AppError('DATABASE_UNAVAILABLE')
  thrown.set('private-a', away).set('ben 1', away)
  join('ana 1', 'private-a')
  join('ben 1', 'private-b')
  await grants.review(parts)
  expect([ended, reported]).toEqual([[], []])
  thrown.clear()
  closed.add('private-a')
  over.add('ben 1')
  await grants.review(parts)
  expect(ended.toSorted()).toEqual(['ana', 'ben'])
})

test('where the server does not answer, the next review tries again', async () => {
  answers = false
  join('ana 1', 'private-a')
  closed.add('private-a')
  await grants.review(parts)
  join('ana 1', 'private-b')
  answers = true
  await grants.review(parts)
  await grants.review(parts)
  expect(ended).toEqual(['ana', 'ana'])
})

test('each person is asked about each channel once, however many sessions they have', async () => {
  for (const session of ['ana 1', 'ana 2', 'ana 3']) join(session, 'private-a')
  await grants.review(parts)
  expect(asked).toEqual(['ana private-a'])
})

test('channels that nobody is on are forgotten, unless they were granted since', async () => {
  join('ana 1', 'private-a', 1)
  join('ana 1', 'private-b', 5)
  join('ben 1', 'private-c', 1)
  grants.forgetEmpty(new Set(['private-c']), 5)
  await grants.review(parts)
  expect(asked).toEqual(['ana private-b', 'ben private-c'])
  expect([grants.hasOthersThan('private-b'), grants.hasOthersThan('private-')]).toEqual([
    true,
    false,
  ])
})

test('20,000 sessions are remembered, the latest', async () => {
  for (let at = 0; at < 20_001; at++) join(`p${at} 1`, 'private-a')
  await grants.review(parts)
  expect(asked).toHaveLength(20_000)
  expect(asked[0]).toBe('p1 private-a')
})
