/** The admin as a plugin of Fastify: under a prefix of the host's, beside its hooks and parsers. */

import fastify, { type FastifyRequest } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { ANA, browse, type Guest, openGuest, people, HOST_SIGN_IN } from './guest.ts'

let guest: Guest
afterEach(() => guest.close())

test.each(['/admin', '/admin/', '/'])(
  'registered under %s it has its prefix once',
  async (prefix) => {
    guest = await openGuest()
    people.set('ana', ANA)
    const app = fastify({ logger: { level: 'silent' } })
    await app.register(guest.admin.plugin, { prefix })
    const ana = browse(await app.listen({ host: '127.0.0.1', port: 0 }), 'host=ana')
    expect((await ana.ask('/admin/')).headers.get('location')).toBe('/admin/tables/fruit')
    const answer = await ana.sortBy(await ana.page('/admin/tables/fruit'), 'name')
    expect(answer.status).toBe(200)
    await app.close()
  },
)

test('under another prefix it is not registered', async () => {
  guest = await openGuest()
  for (const prefix of ['/office', '/adm']) {
    const app = fastify()
    await expect(app.register(guest.admin.plugin, { prefix })).rejects.toThrow(
      `The admin has the prefix [/admin], so it cannot be registered under [${prefix}].`,
    )
  }
})

test('hooks of the host run before it, whatever it uses to find the person', async () => {
  const asked: unknown[] = []
  guest = await openGuest({
    auth: {
      ...HOST_SIGN_IN,
      authenticate({ hostRequest }) {
        // Fastify's own request, with what the host's hook has put there.
        const { person } = hostRequest as FastifyRequest & { person?: typeof ANA }
        asked.push(person?.name)
        return person
      },
    },
  })
  const app = fastify()
  app.decorateRequest('person')
  app.addHook('preHandler', async (request) => void Object.assign(request, { person: ANA }))
  await app.register(guest.admin.plugin)
  const seen: [string, number][] = []
  app.addHook('onResponse', async ({ url }, { raw }) => void seen.push([url, raw.statusCode]))
  const visitor = browse(await app.listen({ host: '127.0.0.1', port: 0 }), '')
  expect((await visitor.page('/admin/tables/fruit')).title).toContain('Fruit')
  expect(asked).toEqual(['Ana'])
  await expect.poll(() => seen).toEqual([['/admin/tables/fruit', 200]])
  await app.close()
})

test('where the host does not tell upper from lower case, its own page says so', async () => {
  guest = await openGuest()
  const app = fastify({ routerOptions: { caseSensitive: false } })
  await app.register(guest.admin.plugin)
  const answer = await app.inject('/ADMIN/tables/fruit')
  expect([answer.statusCode, answer.json().message]).toEqual([
    404,
    'Route GET:/ADMIN/tables/fruit not found',
  ])
  await app.close()
})
