import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { KeyRing } from '../../server/keys.ts'
import { type AuthProvider, createHostSignIn, type HostPerson } from './auth-provider.ts'

const ANA: HostPerson = { id: 'u1', name: 'Ana', role: 'admin', session: 's1' }

/** Sign-in through a host that counts what it is asked, on a clock that the test moves. */
function signInWith(more: Partial<AuthProvider> = {}) {
  const asked: string[] = []
  let time = 0
  const auth: AuthProvider = {
    authenticate({ url }) {
      asked.push(url)
      return ANA
    },
    signInUrl: () => '/login',
    ...more,
  }
  const signIn = createHostSignIn(auth, {
    keys: new KeyRing([new Uint8Array(32)]),
    hostRequests: new WeakMap(),
    now: () => time,
  })
  // Nothing else of a request is read.
  const request = { method: 'GET', url: '/socket', headers: {}, raw: {} } as FastifyRequest
  return { ...signIn, asked, request, pass: (ms: number) => (time += ms) }
}

test('who is still signed in is asked with the earlier request, and believed for a moment', async () => {
  const { authenticate, stillSignedIn, asked, request, pass } = signInWith()
  const visitor = await authenticate(request)
  expect(await stillSignedIn(request)).toEqual(visitor)
  pass(2000)
  expect(await stillSignedIn(request)).toEqual(visitor)
  expect(asked).toEqual(['/socket', '/socket'])
  pass(2000)
  await stillSignedIn(request)
  expect(asked).toHaveLength(3)
})

test('a host that tells by the person is not asked with a request again', async () => {
  const persons: HostPerson[] = []
  let now: HostPerson | undefined = { ...ANA, role: 'viewer' }
  const { authenticate, stillSignedIn, asked, request, pass } = signInWith({
    stillSignedIn(person) {
      persons.push(person)
      return now
    },
  })
  await authenticate(request)
  expect(await stillSignedIn(request)).toMatchObject({ actor: { id: 'u1', role: 'viewer' } })
  pass(4000)
  now = undefined
  expect(await stillSignedIn(request)).toBeUndefined()
  expect(persons).toEqual([ANA, ANA])
  expect(asked).toEqual(['/socket'])
})

test('a person who is not signed in is found where the host can, and else refused', async () => {
  const found = signInWith({
    find: (id) => (id === 'u1' ? { ...ANA, email: undefined } : undefined),
  })
  expect(await found.find('u1')).toEqual({ id: 'u1', name: 'Ana', email: '', role: 'admin' })
  expect(await found.find('u2')).toBeUndefined()
  await expect(signInWith().find('u1')).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
