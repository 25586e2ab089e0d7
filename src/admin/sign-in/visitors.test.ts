import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Visitor } from '../../server/visitor.ts'
import { admin } from '../../../test/table-of.ts'
import { createVisitors } from './visitors.ts'

test('each request has an actor object of its own, so that no grant is remembered for longer', async () => {
  const visitor: Visitor = { actor: admin, session: { id: 's', lineage: 'l' } }
  const visitors = createVisitors({
    authenticate: async () => visitor,
    signInHref: async () => '/sign-in',
  })
  // Requests are told apart by identity alone.
  const [one, other] = [{}, {}] as [FastifyRequest, FastifyRequest]
  const [first, again, next] = [
    await visitors.find(one),
    await visitors.find(one),
    await visitors.find(other),
  ]
  expect(first).toEqual(visitor)
  expect(again?.actor).toBe(first?.actor)
  expect(next?.actor).not.toBe(first?.actor)
})
