/** The admin as middleware of Express: mounted at a path, or in a router below another one. */

import express, { type Request } from 'express'
import { expect, test } from 'vitest'
import { ANA, browse, openGuest, people, HOST_SIGN_IN } from './guest.ts'
import { listen } from './hosts.ts'

test.each([
  ['at its path', '/admin', (mounted: express.RequestHandler) => express().use('/admin', mounted)],
  [
    'in an application within another',
    '/a/b',
    (mounted: express.RequestHandler) =>
      express().use('/a', express().use(express.Router().use(mounted))),
  ],
])('%s it finds the address that the browser asked for', async (_name, prefix, mount) => {
  people.set('ana', ANA)
  const guest = await openGuest({ prefix })
  const app = mount(guest.admin.middleware).use((request, response) => {
    response.status(404).send(`mine ${request.url}`)
  })
  const host = await listen(app)
  const ana = browse(host.origin, 'host=ana')
  expect((await ana.ask(prefix)).headers.get('location')).toBe(`${prefix}/tables/fruit`)
  const page = await ana.page(`${prefix}/tables/fruit?sort=name`)
  expect(page.url).toBe(`${prefix}/tables/fruit?sort=name`)
  expect((await ana.sortBy(page, 'name')).status).toBe(200)
  expect(await (await ana.ask('/elsewhere')).text()).toBe('mine /elsewhere')
  await host.close()
  await guest.close()
})

test('what middleware found out about the person is at hand', async () => {
  const guest = await openGuest({
    auth: {
      ...HOST_SIGN_IN,
      authenticate: ({ hostRequest, url, method }) =>
        // Express's own request, with what the middleware before has put there.
        ({ ...ANA, name: `${(hostRequest as Request).app.locals['name']} ${method} ${url}` }),
    },
  })
  const app = express().use(guest.admin.middleware)
  app.locals['name'] = 'Bo'
  const host = await listen(app)
  const { components } = await browse(host.origin, '').page('/admin/tables/fruit?size=50')
  const shell = components.find(({ name }) => name === 'shell')
  expect(shell?.view).toMatchObject({ user: { name: 'Bo GET /admin/tables/fruit?size=50' } })
  await host.close()
  await guest.close()
})
