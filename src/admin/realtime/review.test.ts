import type { FastifyRequest } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { app, Client } from '../../../test/realtime/fake-client.ts'
import { createClock } from '../../../test/simulator/clock.ts'
import { SERVER_LIMITS } from '../../realtime/limits.ts'
import { Node } from '../../realtime/node.ts'
import { AppError } from '../../server/app-error.ts'
import type { Requester } from '../../server/rate-limit.ts'
import { review, type ReviewParts } from './review.ts'

/** What is thrown instead of an answer, by person or channel, what was asked, and what was reported. */
let thrown: Map<string, Error>
let asked: string[]
let reported: unknown[]
let clients: Client[]
let parts: ReviewParts

function throwFor(name: string): void {
  const error = thrown.get(name)
  if (error) throw error
}

beforeEach(() => {
  ;[thrown, asked, reported, clients] = [new Map(), [], [], []]
  const report = (error: unknown) => reported.push(error)
  const clock = createClock()
  const node = new Node({
    ...{ app, clock, limits: SERVER_LIMITS, name: 'a', bus: undefined, report },
    ...{
      clientEvents: false,
      unsignedChannels: false,
      subscriptionCounts: false,
      webhooks: [],
      post: async () => 200,
    },
  })
  for (const person of ['ana', 'ana', 'ben', 'eve', 'zoe']) {
    const client = new Client(node, `1.${clients.length + 1}`, clock.now(), person)
    client.subscribe(`private-${person}`)
    client.subscribe('private-all')
    clients.push(client)
  }
  parts = {
    ...{ sockets: node, report },
    rules: {
      async allows(channel, { id }) {
        asked.push(`${id} ${channel}`)
        throwFor(channel)
        return channel !== 'private-zoe'
      },
    },
    openedBy: (requester) => {
      const { person = '' } = requester
      // Nothing reads these requests but the test.
      return { person, lineage: person, request: requester as unknown as FastifyRequest }
    },
    inPassing: (actor) => ({ ...actor }),
    async stillSignedIn(request) {
      const { person = '' } = request as unknown as Requester
      throwFor(person)
      const actor = { id: person, name: person, email: '', role: 'editor' as const }
      return { actor, session: { lineage: person } } as never
    },
  }
})

const left = () => clients.map(({ connection }) => [...connection.channels.keys()].join(' '))
const BEN = 'private-ben private-all'

test('what throws for one subscription ends it, is reported once, and stops no other question', async () => {
  const [rule, signIn] = [new Error('rule'), new Error('sign-in')]
  thrown.set('private-ana', rule).set('eve', signIn)
  await review(parts)
  expect(left()).toEqual(['private-all', 'private-all', BEN, '', 'private-all'])
  expect(reported).toHaveLength(2)
  expect(new Set(reported)).toEqual(new Set([rule, signIn]))
})

test('what is not known for now ends nothing, until it is', async () => {
  const away = new AppError('DATABASE_UNAVAILABLE')
  const before = left()
  thrown.set('private-ana', away).set('private-zoe', away).set('eve', away)
  await review(parts)
  expect([left(), reported]).toEqual([before, []])
  thrown.clear()
  await review(parts)
  expect(left()).toEqual([...before.slice(0, 4), 'private-all'])
})

test('each session is asked about once, and the policy for one actor object of each person', async () => {
  const sessions: string[] = []
  const actors = new Set<unknown>()
  const { stillSignedIn, inPassing } = parts
  await review({
    ...parts,
    stillSignedIn(request) {
      sessions.push((request as unknown as Requester).person!)
      return stillSignedIn(request)
    },
    inPassing(actor) {
      const copy = inPassing(actor)
      actors.add(copy)
      return copy
    },
    rules: {
      async allows(_channel, actor) {
        expect(actors).toContain(actor)
        return true
      },
    },
  })
  expect(sessions.toSorted()).toEqual(['ana', 'ben', 'eve', 'zoe'])
  expect(actors.size).toBe(4)
})

test('whoever’s first request says no is asked about with each of their others', async () => {
  const [first] = clients
  const { stillSignedIn } = parts
  const isFirst = (request: unknown) => request === first?.connection.requester
  await review({
    ...parts,
    stillSignedIn: async (request) => (isFirst(request) ? undefined : stillSignedIn(request)),
  })
  expect(left().slice(0, 2)).toEqual(['', 'private-ana private-all'])
})

test('each person is asked about each channel once, however many sockets they have', async () => {
  await review(parts)
  expect(asked).toHaveLength(8)
  expect(new Set(asked).size).toBe(8)
})
