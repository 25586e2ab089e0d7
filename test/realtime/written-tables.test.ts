/** Whom an admin tells of what was written: those who show rows of its tables, and everybody where that is not known. */

import { expect, onTestFinished, test, vi } from 'vitest'
import { rolePolicy } from '../../src/admin/accounts/roles.ts'
import type { AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { openMysql } from '../../src/database/mysql/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { PageData } from '../../src/protocol/page.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { describeMetadata, type MetadataPlace } from '../contracts/metadata-places.ts'
import { REDIS } from '../contracts/servers.ts'
import { type LiveAdmin, type LiveSocket, openShop, type Person } from './live-admin.ts'
import { COUNT, withShelf } from './shelf.ts'

const OPENERS = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql } as const

const TABLES = ['orders', 'customers', 'elsewhere'] as const

const setUp: readonly string[] = [
  'drop view if exists named',
  ...TABLES.map((table) => `drop table if exists ${table}`),
  ...['customers', 'elsewhere'].map(
    (table) => `create table ${table} (id int primary key, name varchar(20))`,
  ),
  `create table orders (id int primary key, customer int, foreign key (customer) references customers (id))`,
  'create view named as select * from customers',
  ...['customers', 'elsewhere'].map((table) => `insert into ${table} values (1, 'one')`),
  'insert into orders values (1, 1)',
]

/** Starts admins over the place's data, whose versions change with time only when the test says so. */
async function open(place: MetadataPlace) {
  for (const statement of setUp) await place.run(statement)
  const shop = await openShop()
  let now = 1000
  onTestFinished(async () => {
    await shop.close()
    await place.run('drop view named')
  })
  const start = async (options: Partial<AdminOptions> = {}): Promise<LiveAdmin> =>
    shop.start({
      source: await OPENERS[place.engine](place.address, { readOnly: false, now: () => now }),
      write: true,
      ...options,
    })
  return { shop, start, pass: () => void (now += 5000) }
}

/** Somebody with all lists open. */
async function watching(person: Person) {
  const pages: PageData[] = []
  for (const table of [...TABLES, 'named']) pages.push(await person.page(`/tables/${table}`))
  const socket = await person.connect({ page: pages[0]! })
  const channels = pages.map(
    ({ components }) => components.find(({ name }) => name === 'list')!.channels ?? [],
  )
  for (const channel of new Set(channels.flat())) await socket.subscribe(channel)
  return {
    socket,
    told: () => channels.map((some) => heardOn(socket, some)),
    settle: settled(socket),
  }
}

const heardOn = ({ named }: LiveSocket, channels: readonly string[]): number =>
  channels.reduce((sum, channel) => sum + named('changed', channel).length, 0)

/** Waits until nothing has come for two looks. */
const settled =
  ({ named }: LiveSocket) =>
  async (): Promise<void> => {
    let heard = -1
    await vi.waitFor(
      () => {
        const before = heard
        heard = named('changed').length
        expect(heard).toBe(before)
      },
      { timeout: 15_000, interval: 700 },
    )
  }

let names = 0
const save = async (person: Person, table: string): Promise<void> => {
  const page = await person.page(`/tables/${table}/records/1?edit=on`)
  const form = page.components.find(({ name }) => name === 'form')!
  const { fields } = form.view as { fields: { name: string; text: string }[] }
  const seen = fields.find(({ name }) => name === 'name')!.text
  const name = `name ${++names}`
  const { returns } = await person.update(page, 'form', [
    { method: 'save', params: [{ name }, { name: seen }, null] },
  ])
  expect(returns).toMatchObject([{ status: 'saved' }])
}

/** Which lists of `TABLES`, and of the view, hear of some work. */
async function hearing(
  { told, settle }: Awaited<ReturnType<typeof watching>>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  await settle()
  const before = told()
  await work()
  await vi.waitFor(() => expect(told()).not.toEqual(before), 5000)
  await settle()
  const after = told()
  return [...TABLES, 'named'].filter((_, at) => after[at] !== before[at])
}

const ALL = [...TABLES, 'named']

describeMetadata(
  'a write',
  (place) => {
    test('is told to lists of its table, to those that name its rows, and to views', async () => {
      const { start } = await open(place())
      const person = await (await start()).signIn('ana')
      const lists = await watching(person)
      expect(await hearing(lists, () => save(person, 'customers'))).toEqual([
        ...['orders', 'customers', 'named'],
      ])
      expect(await hearing(lists, () => save(person, 'elsewhere'))).toEqual(['elsewhere', 'named'])
    })

    test('behind the admin’s back is told to whoever it may concern, and so is one that is not logged', async () => {
      const { shop, start, pass } = await open(place())
      const person = await (await start(await withShelf(shop.folder))).signIn('ana')
      const lists = await watching(person)
      const heard = await hearing(lists, async () => {
        await place().run(`update elsewhere set name = 'x' where id = 1`)
        pass()
      })
      expect(heard).toContain('elsewhere')
      expect(await hearing(lists, () => person.call(COUNT))).toEqual(ALL)
    })

    test('may concern every list where nobody knows what the policy looks into', async ({
      skip,
    }) => {
      if (place().engine !== 'sqlite') skip('It is the same on every engine.')
      const { start } = await open(place())
      const grant: Policy['grant'] = (actor, table) => rolePolicy.grant(actor, table)
      for (const [reads, heard] of [
        [undefined, ALL],
        [['elsewhere'], ALL],
        [[], ['elsewhere', 'named']],
      ] as const) {
        const policy = { version: '1', grant, ...(reads && { reads }) }
        const person = await (await start({ policy })).signIn(`ana${String(reads)}`)
        const lists = await watching(person)
        expect(await hearing(lists, () => save(person, 'elsewhere'))).toEqual(heard)
      }
    })

    test('on another node is told as on its own', async ({ skip }) => {
      if (place().engine === 'sqlite') skip('A file does not tell its programs apart.')
      const { start } = await open(place())
      const bus = REDIS.href
      const [one, two] = [await start({ bus }), await start({ bus })]
      const person = await one.signIn('ana')
      const lists = await watching(person.at(two))
      const heard = () => hearing(lists, () => save(person, 'elsewhere'))
      // The nodes may not have heard of each other yet.
      await vi.waitFor(async () => expect(await heard()).toEqual(['elsewhere', 'named']), 30_000)
    })

    test('on a node that does not tell of it is one behind the admin’s back', async () => {
      const { start, pass } = await open(place())
      const [one, two] = [await start(), await start()]
      const person = await one.signIn('ana')
      const lists = await watching(person.at(two))
      const heard = await hearing(lists, async () => {
        await save(person, 'elsewhere')
        pass()
      })
      expect(heard).toContain('elsewhere')
      if (place().engine === 'sqlite') expect(heard).toEqual(ALL)
    })
  },
  // PostgreSQL counts transactions of all databases, so that other tests are somebody else.
  ['sqlite', 'mysql'],
)
