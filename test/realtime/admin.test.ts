/** Live events of an admin, over real sockets: who may join what, what tables tell, and what comes back. */

import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCOUNT_LIMITS } from '../../src/admin/accounts/accounts.ts'
import { rolePolicy } from '../../src/admin/accounts/roles.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { applyPatch } from '../../src/protocol/patch.ts'
import type { TableView } from '../../src/protocol/table-view.ts'
import { TAKES_PATCHES } from '../../src/protocol/wire.ts'
import { nothing, type Predicate } from '../../src/table/source/predicate.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { sourceWith } from '../source-with.ts'
import { isPlain } from '../tier.ts'
import { type LiveAdmin, type LiveSocket, openShop, Person, type Shop } from './live-admin.ts'
import { banned, COUNT, shelfChannel, withShelf } from './shelf.ts'

let shop: Shop
let at: LiveAdmin
/** Pages of rows that were read. */
let pagesRead = 0
/** Whether the policy makes a new grant each time, as one does that looks at the person. */
let isPersonal = false
/** Tables that nobody may read. */
const hidden = new Set<string>()

beforeEach(async () => {
  banned.clear()
  hidden.clear()
  isPersonal = false
  pagesRead = 0
  shop = await openShop()
  shop.write('create table secrets (id integer primary key)')
  const policy: Policy = {
    version: 'test',
    grant(actor, table) {
      const grant = rolePolicy.grant(actor, table)
      if (isPersonal) return { ...grant }
      return hidden.has(table.name) ? { ...grant, actions: [], rows: nothing } : grant
    },
  }
  at = await shop.start({ ...(await withShelf(shop.folder)), policy }, counted)
})

afterEach(() => shop.close())

const counted = (source: RowSource): RowSource =>
  sourceWith(source, {
    page(...given) {
      pagesRead++
      return source.page(...given)
    },
  })

describe('tables', () => {
  test('tell of what was written behind the admin’s back, with no value of a row', async () => {
    const ana = await at.signIn('ana')
    const page = await ana.page('/tables/orders')
    const list = page.components.find(({ name }) => name === 'list')
    expect(list?.channels).toEqual(['private-table.orders'])
    const socket = await ana.connect({ page })
    await socket.subscribe('private-table.orders')
    const before = socket.named('changed').length
    shop.write("insert into orders (note) values ('a secret')")
    await vi.waitFor(() => expect(socket.named('changed').length).toBeGreaterThan(before), 5000)
    expect(socket.named('changed').at(-1)).toEqual({
      event: 'changed',
      channel: 'private-table.orders',
      data: null,
    })
  })

  test('that a policy hides cannot be watched, like those that do not exist', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    hidden.add('secrets')
    const answers = await Promise.all(
      ['private-table.secrets', 'private-table.nothing', 'presence-orders.1', 'orders'].map(
        socket.askToJoin,
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    const [first, ...others] = await Promise.all(answers.map((answer) => answer.text()))
    for (const other of others) expect(other).toBe(first)
  })

  test('are told together only to whoever may read one of them', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    const asked = async () => (await socket.askToJoin('private-table.of.any')).status
    hidden.add('secrets')
    expect(await asked()).toBe(200)
    hidden.add('orders')
    expect(await asked()).toBe(403)
  })
})

describe('one’s own write', () => {
  test('is told to all but the socket that has asked for it, and no one can name another’s', async () => {
    const [ana, ben] = [await at.signIn('ana'), await at.signIn('ben')]
    const [anas, bens] = [await ana.connect(), await ben.connect()]
    for (const socket of [anas, bens]) await socket.subscribe('private-table.orders')
    const heard = ({ named }: LiveSocket) => named('changed').length
    const call = async (person: Person, socketId: string) => {
      const before = heard(bens)
      await person.call(COUNT, socketId)
      await vi.waitFor(() => expect(heard(bens)).toBe(before + 1), 5000)
    }
    const before = heard(anas)
    for (let time = 0; time < 8; time++) await call(ana, anas.id)
    expect(heard(anas)).toBe(before)
    await call(ben, anas.id)
    await vi.waitFor(() => expect(heard(anas)).toBe(before + 1), 5000)
  })
})

describe('a write of the admin', () => {
  test('tells nobody a key or a value of its rows, and so neither those who may not see them', async () => {
    shop.write(`create table letters (code text primary key, note text);
      insert into letters values ('code-open', 'to all'), ('code-hidden', 'to one');
      create table passes (token text primary key, note text);
      insert into passes values ('token-of-a-pass', 'a pass')`)
    const policy: Policy = {
      version: 'test',
      grant(actor, table) {
        const grant = rolePolicy.grant(actor, table)
        const rows: Predicate = { op: 'eq', column: 'code', value: 'code-open' }
        return table.name === 'letters' && actor.role !== 'admin' ? { ...grant, rows } : grant
      },
    }
    const now = await shop.start({ policy, write: true })
    const [ana, ben] = [await now.signIn('ana'), await now.signIn('ben')]
    const lists = ['/tables/letters', '/tables/passes']
    const sockets = await Promise.all(
      [ana, ben].map(async (person) => {
        const pages = await Promise.all(lists.map((path) => person.page(path)))
        const socket = await person.connect({ page: pages[0]! })
        const all = pages.flatMap(({ components }) =>
          components.flatMap((one) => one.channels ?? []),
        )
        for (const channel of new Set(all)) await socket.subscribe(channel)
        return socket
      }),
    )
    const { components } = await ana.page('/tables/passes')
    const { rows } = components.find(({ name }) => name === 'list')!.view as unknown as TableView
    const sealed = rows[0]![0]
    for (const [list, key] of [
      [lists[0], 'code-hidden'],
      [lists[1], sealed],
    ]) {
      const page = await ana.page(`${list}/records/${key}?edit=on`)
      const params = [{ note: 'written' }, { note: key === sealed ? 'a pass' : 'to one' }, null]
      const { returns } = await ana.update(page, 'form', [{ method: 'save', params }])
      expect(returns).toMatchObject([{ status: 'saved' }])
    }
    for (const { named, texts } of sockets) {
      for (const table of ['letters', 'passes'])
        await vi.waitFor(
          () => expect(named('changed', `private-table.${table}`).length).toBeGreaterThan(0),
          5000,
        )
      expect(named('changed').every(({ data }) => data === null)).toBe(true)
      for (const part of ['code-', 'token-', sealed, 'to one', 'written'])
        expect(texts.join('\n')).not.toContain(part)
    }
  })
})

describe('who may connect and join', () => {
  test('nobody who is not signed in, and no page of another origin', async () => {
    const ana = await at.signIn('ana')
    const page = await ana.page('/tables/orders')
    const refused = (person: Person, from?: string) => {
      const failed = person.connect({ page, ...(from !== undefined && { origin: from }) })
      return failed.then(() => '').catch(({ message }: Error) => message)
    }
    expect(await refused(new Person(at.origin, 'none=1'))).toContain('403')
    expect(await refused(ana, 'http://elsewhere.example')).toContain('403')
    const socket = await ana.connect({ page })
    const answer = async (headers: Record<string, string>, person = ana, id = socket.id) =>
      (await person.askToJoin(id, 'private-table.orders', headers)).status
    expect(await answer({}, new Person(at.origin))).toBe(403)
    expect(await answer({ origin: 'http://x.example' })).toBe(419)
    expect(await answer({ 'sec-fetch-site': 'cross-site' })).toBe(419)
    expect(await answer({ 'x-csrf-token': 'forged' })).toBe(419)
    expect(await answer({ 'x-csrf-token': page.csrf })).toBe(200)
    expect(await answer({}, ana, '1.2:private-x')).toBe(422)
  })

  test('nobody on a socket of somebody else, who would be there in their name', async () => {
    const [ana, ben] = [await at.signIn('ana'), await at.signIn('ben')]
    const { id } = await ben.connect()
    expect((await ana.askToJoin(id, 'private-table.orders')).status).toBe(403)
    expect((await ana.askToJoin('1.2', 'private-table.orders')).status).toBe(403)
    expect((await ana.askToSignIn(id)).status).toBe(403)
    expect((await ben.askToSignIn(id)).status).toBe(200)
  })

  test('nobody on a channel without a rule, which is refused when they subscribe', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    for (const channel of ['news', 'cache-news', `#server-to-user-${socket.id}`]) {
      socket.say('pusher:subscribe', { channel })
      expect(await socket.wait('pusher:subscription_error', channel)).toMatchObject({
        data: { status: 403 },
      })
    }
    expect(socket.named('pusher_internal:subscription_succeeded')).toEqual([])
    expect((await socket.askToJoin('private-cache-news')).status).toBe(403)
  })

  test('members of a presence channel see each other’s names', async () => {
    const [ana, ben] = [await at.signIn('ana'), await at.signIn('ben')]
    const [one, two] = [await ana.connect(), await ben.connect()]
    await one.subscribe('presence-room.7')
    await two.subscribe('presence-room.7')
    const added = await one.wait('pusher_internal:member_added', 'presence-room.7')
    expect(added.data).toMatchObject({ user_info: { name: 'ben' } })
  })

  test('a withdrawn right ends the subscription within 5 s', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    await socket.subscribe('private-table.orders')
    await socket.subscribe('private-shelf.4')
    const from = Date.now()
    hidden.add('orders')
    await socket.wait('pusher:subscription_error', 'private-table.orders')
    if (!isPlain) expect(Date.now() - from).toBeLessThan(5000)
    expect(socket.named('pusher:subscription_error', 'private-shelf.4')).toEqual([])
    await at.admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 'the server' })
    await socket.wait('counted', 'private-shelf.4')
  })

  test('a session that has ended ends its subscriptions within 5 s', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    await socket.subscribe('private-table.orders')
    const from = Date.now()
    const { csrf } = await ana.page('/tables/orders')
    const signedOut = await ana.post('/sign-out', new URLSearchParams({ _token: csrf }))
    expect(signedOut.status).toBe(303)
    await socket.wait('pusher:subscription_error', 'private-table.orders')
    if (!isPlain) expect(Date.now() - from).toBeLessThan(5000)
  })

  test('a person who is disabled is off their channels within 5 s', async () => {
    // The first one is the administrator.
    if (await at.admin.accounts.needsAdministrator()) await at.signIn('ana')
    const zoe = await at.signIn('zoe')
    const socket = await zoe.connect()
    await socket.subscribe('private-table.orders')
    const { directory } = at.admin.accounts
    const { id } = (await directory.list()).find(({ name }) => name === 'zoe')!
    const from = Date.now()
    await directory.disable({ id: 'ana', name: 'Ana' }, id)
    await socket.wait('pusher:subscription_error', 'private-table.orders')
    if (!isPlain) expect(Date.now() - from).toBeLessThan(5000)
  })
})

test('a person whose role no longer has the table is off its channel', async () => {
  const support = { tables: { secrets: { read: true } } } as const
  const now = await shop.start({ roles: { support } })
  if (await now.admin.accounts.needsAdministrator()) await now.signIn('ana')
  const ned = await now.signIn('ned')
  const socket = await ned.connect()
  await socket.subscribe('private-table.orders')
  const { directory } = now.admin.accounts
  const { id } = (await directory.list()).find(({ name }) => name === 'ned')!
  await directory.changeRole({ id: 'ana', name: 'Ana' }, id, 'support')
  await socket.wait('pusher:subscription_error', 'private-table.orders')
  expect((await socket.askToJoin('private-table.secrets')).status).toBe(200)
})

test('an administrator who sees the admin as a role is on the channels that the role may be on, for an hour', async () => {
  let ahead = 0
  const support = { tables: { secrets: { read: true } } } as const
  const now = await shop.start({ roles: { support }, now: () => Date.now() + ahead })
  const ada = await now.signIn('ada')
  const { csrf } = await ada.page('/people/roles')
  const asked = new URLSearchParams({ _token: csrf, role: 'support' })
  const begun = await ada.post('/people/roles/see', asked)
  const [looking = ''] = begun.headers.getSetCookie().flatMap((one) => one.split(';', 1))
  const seeing = new Person(now.origin, `${ada.headers['cookie']}; ${looking}`)
  const socket = await seeing.connect({ page: await seeing.page('/tables/secrets') })
  await socket.subscribe('private-table.secrets')
  expect((await socket.askToJoin('private-table.orders')).status).toBe(403)
  // Short of the time after which the session itself would have ended.
  ahead = 61 * 60_000
  expect((await socket.askToJoin('private-table.orders')).status).toBe(200)
})

test('a list that stays open does not keep a session from ending after its idle time', async () => {
  let [time, asked] = [Date.now(), 0]
  const policy: Policy = {
    version: 'test',
    grant(actor, table) {
      asked++
      return rolePolicy.grant(actor, table)
    },
  }
  const later = await shop.start({ now: () => time, policy })
  const ana = await later.signIn('zoe')
  const socket = await ana.connect()
  await socket.subscribe('private-table.orders')
  /** A review that has begun by now, and one that has begun since. */
  const reviewed = async () => {
    for (const _ of ['now', 'since']) {
      const before = asked
      await vi.waitFor(() => expect(asked).toBeGreaterThan(before), 5000)
    }
  }
  const { idleMs } = ACCOUNT_LIMITS
  time += idleMs - 60_000
  await reviewed()
  expect(socket.named('pusher:subscription_error')).toEqual([])
  time += 120_000
  await socket.wait('pusher:subscription_error', 'private-table.orders')
})

describe('a change that many people see', () => {
  const openTwice = async (person: Person) => [
    await person.page('/tables/orders'),
    await person.page('/tables/orders'),
    await person.page('/tables/orders?sort=note'),
  ]
  const refreshAll = async (pages: readonly (readonly [PageData, Person])[]) => {
    shop.write("insert into orders (note) values ('new')")
    pagesRead = 0
    return Promise.all(pages.map(([page, person]) => person.update(page, 'list')))
  }

  test('is read once for each distinct view, not for each viewer', async () => {
    const [ana, ben, eve] = [await at.signIn('ana'), await at.signIn('ben'), await at.signIn('eve')]
    // Ana is an administrator; Ben and Eve are editors, and see the same.
    const pages: [PageData, Person][] = []
    for (const person of [ana, ben, eve])
      for (const page of await openTwice(person)) pages.push([page, person])
    const answers = await refreshAll(pages)
    for (const { view } of answers) expect(JSON.stringify(view)).toContain('"new"')
    expect(pagesRead).toBe(4)
    pagesRead = 0
    for (const [page, person] of pages) await person.update(page, 'list')
    expect(pagesRead).toBe(0)
  })

  test('travels alone: a patch of the view that was sent before, where the client takes it', async () => {
    const ana = await at.signIn('ana')
    shop.write(`delete from orders; with recursive n(id) as
      (select 1 union all select id + 1 from n where id < 100)
      insert into orders (note) select 'a note of some length, number ' || id from n`)
    const page = await ana.page('/tables/orders?size=100')
    const { view } = page.components.find(({ name }) => name === 'list')!
    shop.write("update orders set note = 'changed' where note like '%number 40'")
    const [patched, whole] = [
      await ana.update(page, 'list', [], { 'x-tablewire': TAKES_PATCHES }),
      await ana.update(page, 'list'),
    ]
    expect(patched.view).toBeUndefined()
    const patch = patched.patch!
    expect(applyPatch(view, patch)).toEqual(whole.view)
    const length = (value: unknown) => JSON.stringify(value).length
    expect(length(whole.view)).toBeGreaterThan(4000)
    // That of a changed row, and of what else follows from it.
    expect(length(patch)).toBeLessThan(250)
    expect(whole.patch).toBeUndefined()
  })

  test('is read for each where the policy looks at the person', async () => {
    isPersonal = true
    const [ana, ben] = [await at.signIn('ana'), await at.signIn('ben')]
    const pages = [
      [await ana.page('/tables/orders'), ana],
      [await ben.page('/tables/orders'), ben],
      [await ben.page('/tables/orders'), ben],
    ] as const
    await refreshAll(pages)
    expect(pagesRead).toBe(3)
  })
})

describe('broadcasts of actions', () => {
  test('reach everybody but the socket that asked, and no one can name another’s', async () => {
    const [ana, ben] = [await at.signIn('ana'), await at.signIn('ben')]
    const page = await ana.page('/shelf')
    expect(page.components.find(({ name }) => name === 'shelf')?.channels).toEqual([
      'private-shelf.4',
    ])
    const [one, two] = [await ana.connect({ page }), await ben.connect({ page })]
    await one.subscribe('private-shelf.4')
    await two.subscribe('private-shelf.4')
    await ana.call(COUNT, one.id)
    expect((await two.wait('counted', 'private-shelf.4')).data).toEqual({ by: 'ana' })
    await ben.call(COUNT, one.id)
    // Ben named Ana's socket, and she hears of his count all the same; of her own she does not.
    expect((await one.wait('counted', 'private-shelf.4')).data).toEqual({ by: 'ben' })
    expect(one.named('counted')).toHaveLength(1)
  })

  test('with a detail that the schema refuses are not sent', async () => {
    const wrong = { by: 4 } as unknown as { by: string }
    await expect(
      at.admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', wrong),
    ).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
  })
})

test('sockets are closed with a code that brings clients back when the server stops', async () => {
  const ana = await at.signIn('ana')
  const socket = await ana.connect()
  const closing = once(socket.socket, 'close')
  await at.admin.app.close()
  expect((await closing)[0]).toBe(4200)
})

test('visitors who are not signed in learn no address of sockets', async () => {
  const { realtime } = await new Person(at.origin).page('/sign-in')
  expect(realtime).toBeUndefined()
})
