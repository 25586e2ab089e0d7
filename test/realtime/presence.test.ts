/** Presence: who may learn that somebody is on a table or a record, and who learns their name. */

import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { rolePolicy } from '../../src/admin/accounts/roles.ts'
import { CHANNEL_NAME_MAX } from '../../src/protocol/channels.ts'
import { AppError } from '../../src/server/app-error.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { Predicate } from '../../src/table/source/predicate.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { sourceWith } from '../source-with.ts'
import { type LiveAdmin, type LiveSocket, openShop, type Person, type Shop } from './live-admin.ts'

const LONG = 'x'.repeat(150)

let shop: Shop
let at: LiveAdmin
/** Tables that nobody may read, the orders that may be read, and the names that nobody is told. */
let hiddenTables: string[]
let rows: Predicate
let hiddenNames: string[]
/** Look-ups of rows that the database did not answer; `undefined` while it does. */
let unanswered: number | undefined

beforeEach(async () => {
  hiddenTables = []
  hiddenNames = []
  unanswered = undefined
  rows = { op: 'and', all: [] }
  shop = await openShop()
  shop.write(`create table codes (code text primary key);
    insert into codes values ('a'), ('${LONG}');
    create table "${'t'.repeat(190)}" (id integer primary key)`)
  at = await shop.start({ policy }, failing)
})
afterEach(() => shop.close())

const policy: Policy = {
  version: 'test',
  grant(actor, table) {
    const grant = rolePolicy.grant(actor, table)
    if (hiddenTables.includes(table.name)) return { ...grant, actions: [] }
    return table.name === 'orders' ? { ...grant, rows } : grant
  },
  tellsName: (_actor, { name }) => !hiddenNames.includes(name),
}

const failing = (source: RowSource): RowSource =>
  sourceWith(source, {
    async row(...given) {
      if (unanswered === undefined) return source.row(...given)
      unanswered++
      throw new AppError('DATABASE_UNAVAILABLE')
    },
  })

const viewSchema = v.object({
  ...{ table: v.string(), awake: v.string(), record: v.nullable(v.string()) },
  label: v.string(),
})

async function channelsAt(path: string, who: Person) {
  const { components } = await who.page(path)
  return v.parse(viewSchema, components.find(({ name }) => name === 'presence')?.view)
}

const LIST = '/tables/orders'
const RECORD = '/tables/orders/records/1'
const only = (id: number): Predicate => ({ op: 'eq', column: 'id', value: id })

const mayJoin = async (socket: LiveSocket, channel: string) =>
  (await socket.askToJoin(channel)).status

describe('who may join', () => {
  test('whoever may read the table, and the row', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    const { table, awake, record } = await channelsAt(RECORD, ana)
    expect([table, awake]).toEqual(['presence-table.orders', 'presence-awake.orders'])
    rows = only(1)
    for (const name of [table, awake, record!]) expect(await mayJoin(socket, name)).toBe(200)
    rows = only(2)
    expect(await mayJoin(socket, record!)).toBe(403)
    hiddenTables = ['orders']
    for (const name of [table, awake, record!]) expect(await mayJoin(socket, name)).toBe(403)
  })

  test('a row or a table that is hidden later ends the subscription', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    const { table, record } = await channelsAt(RECORD, ana)
    for (const name of [table, record!]) await socket.subscribe(name)
    rows = only(2)
    await socket.wait('pusher:subscription_error', record!)
    expect(socket.named('pusher:subscription_error', table)).toEqual([])
    hiddenTables = ['orders']
    await socket.wait('pusher:subscription_error', table)
  })

  test('a database that does not answer lets nobody join, and ends nothing', async () => {
    const ana = await at.signIn('ana')
    const [socket, other] = [await ana.connect(), await ana.connect()]
    const { record } = await channelsAt(RECORD, ana)
    rows = only(1)
    await socket.subscribe(record!)
    unanswered = 0
    expect(await mayJoin(other, record!)).toBe(503)
    // Whoever is asked about a second time was not ended the first time.
    await vi.waitFor(() => expect(unanswered).toBeGreaterThanOrEqual(3), 7000)
    unanswered = undefined
    expect(await mayJoin(other, record!)).toBe(200)
    expect(socket.texts.join()).not.toMatch('subscription_error')
  })

  test('nobody by the name of a channel that the server has not made', async () => {
    const ana = await at.signIn('ana')
    const socket = await ana.connect()
    const { record } = await channelsAt(RECORD, ana)
    const code = await channelsAt('/tables/codes/records/a', ana)
    const [, , sealed = ''] = record!.split('.')
    const [, , other = ''] = code.record!.split('.')
    for (const name of [
      ...[
        'presence-table.nothing',
        'presence-awake.nothing',
        'presence-table',
        'presence-record.1',
      ],
      ...['presence-record.orders.1', 'presence-record.orders.', `presence-record.codes.${sealed}`],
      ...[`presence-record.orders.${other}`, `presence-record.orders.${sealed}A`],
      `presence-record.orders.${sealed.toLowerCase()}`,
    ])
      expect([name, await mayJoin(socket, name)]).toEqual([name, 403])
  })

  test('nobody where lists are not live', async () => {
    const ana = await (await shop.start({ policy, live: false })).signIn('ana')
    const socket = await ana.connect()
    for (const name of ['presence-table.orders', 'presence-awake.orders'])
      expect(await mayJoin(socket, name)).toBe(403)
    expect((await ana.page(LIST)).components.map(({ name }) => name)).not.toContain('presence')
  })
})

/** Ana and Ben on the same record, and all that has reached Ben. */
async function meet() {
  const [ana, ben] = [await at.signIn('ana-kovac'), await at.signIn('ben-okafor')]
  const [hers, his] = [await ana.connect(), await ben.connect()]
  const { table, awake, record } = await channelsAt(RECORD, ben)
  const signed: string[] = []
  for (const name of [table, awake, record!]) {
    signed.push(await his.subscribe(name), await hers.subscribe(name))
    await his.wait('pusher_internal:member_added', name)
  }
  const wire = [...his.texts, ...hers.texts, ...signed].join('\n')
  return { ana, hers, table, wire }
}

/** The members of a channel, as the server told the socket when it joined. */
function membersOf(socket: LiveSocket, channel: string): Map<string, string | null> {
  const [joined] = socket.named('pusher_internal:subscription_succeeded', channel)
  const hash = v.record(v.string(), v.nullable(v.string()))
  const schema = v.object({ presence: v.object({ hash }) })
  return new Map(Object.entries(v.parse(schema, joined?.data).presence.hash))
}

/** Who stands behind what members told of themselves, in the words of a page. */
const peopleAt = (path: string, who: Person, sealed: (string | null)[]) =>
  who.call({ path, component: 'presence', method: 'people', params: [sealed] })

describe('names', () => {
  test('never travel over sockets, and are told by the page under its reader’s policy', async () => {
    const { ana, hers, table, wire } = await meet()
    expect(wire).not.toMatch(/kovac|okafor|example\.org|editor/i)
    for (const { id } of await accountsOf()) expect(wire).not.toContain(id)
    const sealed = [...membersOf(hers, table).values()]
    expect(sealed).toHaveLength(2)
    expect(await peopleAt(RECORD, ana, sealed)).toEqual([
      said('ben-okafor', 'is looking at this record'),
      said('ana-kovac', 'is looking at this record'),
    ])
    expect(await peopleAt(LIST, ana, sealed.slice(0, 1))).toEqual([said('ben-okafor', 'is here')])
  })

  test('that the policy hides are not told', async () => {
    const { ana, hers, table } = await meet()
    hiddenNames = ['ben-okafor']
    const sealed = [...membersOf(hers, table).values()]
    const answer = await peopleAt(LIST, ana, sealed)
    expect(answer).toEqual([
      { name: null, here: 'Somebody is here', idle: 'Somebody, idle' },
      said('ana-kovac', 'is here'),
    ])
  })

  test('are not told to the page of another table, nor for what was not sealed', async () => {
    const { ana, hers, table } = await meet()
    const [sealed = ''] = [...membersOf(hers, table).values()].map(String)
    const forged = ['', 'ben-okafor', `${sealed}A`, sealed.toLowerCase()]
    const told = [await peopleAt('/tables/codes', ana, [sealed]), await peopleAt(LIST, ana, forged)]
    expect(JSON.stringify(told)).not.toContain('okafor')
  })
})

const said = (name: string, is: string) => ({ name, here: `${name} ${is}`, idle: `${name}, idle` })

/** The accounts, whose ids must not be told. */
async function accountsOf(): Promise<readonly { readonly id: string }[]> {
  const first = await at.admin.accounts.administrator()
  return first ? [first] : []
}

test('a person with two tabs is one member, and another one on another table', async () => {
  const ana = await at.signIn('ana')
  const [one, two] = [await ana.connect(), await ana.connect()]
  for (const socket of [one, two])
    for (const name of ['presence-table.orders', 'presence-awake.orders', 'presence-table.codes'])
      await socket.subscribe(name)
  const idsIn = (channel: string) => [...membersOf(two, channel).keys()]
  expect(idsIn('presence-table.orders')).toHaveLength(1)
  expect(idsIn('presence-awake.orders')).toEqual(idsIn('presence-table.orders'))
  expect(idsIn('presence-table.codes')).not.toEqual(idsIn('presence-table.orders'))
})

test('every name is one that the protocol allows; what is too long for one has no channel', async () => {
  const ana = await at.signIn('ana')
  const socket = await ana.connect()
  for (const path of ['orders/records/1', 'codes/records/a', `codes/records/${LONG}`]) {
    const { table, awake, record } = await channelsAt(`/tables/${path}`, ana)
    for (const name of [table, awake, ...(record === null ? [] : [record])]) {
      expect(name).toMatch(/^[\w\-=@,.;]+$/)
      expect(name.length).toBeLessThanOrEqual(CHANNEL_NAME_MAX)
      expect(await mayJoin(socket, name)).toBe(200)
    }
    expect(record === null).toBe(path.endsWith(LONG))
  }
  const { components } = await ana.page(`/tables/${'t'.repeat(190)}`)
  expect(components.find(({ name }) => name === 'presence')?.view).toBe(null)
})
