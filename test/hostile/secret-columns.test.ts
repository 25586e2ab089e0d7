/** Hostile onlookers: of a column that looks secret nobody sees a value, and administrators alone its name. */

import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAME_AS_KEY } from '../../src/protocol/table-view.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { record } from './attack.ts'
import { visit } from './requests.ts'
import { openTarget, readPage, type Target } from './target.ts'
import { tellApart, type Walk } from './walks.ts'
import { HIDDEN_WORDS, type World } from './worlds.ts'

const family = 'secret columns'

/** Users and what refers to them; the worlds differ in keys, hashes and tokens alone. */
function makeUsers(file: string, world: World): void {
  const word = HIDDEN_WORDS[world === 'one' ? 0 : 1]!
  const db = new DatabaseSync(file)
  db.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, api_key TEXT UNIQUE, name TEXT, password_digest TEXT);
    CREATE TABLE devices (id INTEGER PRIMARY KEY, token TEXT, owner TEXT REFERENCES users (api_key));
    CREATE TABLE visits (id INTEGER PRIMARY KEY, device_id INTEGER REFERENCES devices (id));
    CREATE INDEX users_hash ON users (password_digest, id);
  `)
  for (let id = 1; id <= 60; id++) {
    const secret = `${word} ${world === 'one' ? id : 100 - id}`
    db.prepare('INSERT INTO users VALUES (?, ?, ?, ?)').run(id, secret, `User ${id}`, secret)
    db.prepare('INSERT INTO devices VALUES (?, ?, ?)').run(id, secret, secret)
    db.prepare('INSERT INTO visits VALUES (?, ?)').run(id, id)
  }
  db.close()
}

/** Grants whatever there is, as a policy that somebody has written in haste. */
const generous: Policy = {
  version: 'generous-1',
  grant: (_actor, { columns }) => {
    const names = columns.map(({ name }) => name)
    return { actions: ['read', 'update'], rows: everything, readable: names, writable: names }
  },
}

const open = (world: World, declared = false) =>
  openTarget({
    prepare: (file) => makeUsers(file, world),
    table: 'users',
    policy: generous,
    ...(declared && { definitions: { users: { columns: { api_key: { hidden: false } } } } }),
  })

/** People and their loans; once the catalogue was read, a name is a hash that tells the worlds apart. */
async function openNamed(world: World): Promise<{ readonly target: Target }> {
  let path = ''
  const prepare = (file: string): void => {
    path = file
    const db = new DatabaseSync(file)
    db.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE loans (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id))`)
    for (let id = 1; id <= 40; id++) {
      db.prepare('INSERT INTO users VALUES (?, ?)').run(id, `User ${id}`)
      db.prepare('INSERT INTO loans VALUES (?, ?)').run(id, id)
    }
    db.close()
  }
  const target = await openTarget({ prepare, table: 'loans', policy: generous })
  const db = new DatabaseSync(path)
  const word = HIDDEN_WORDS[world === 'one' ? 0 : 1]!
  db.prepare('UPDATE users SET name = ? WHERE id = 7').run(`$2b$12$${word}${word}`)
  db.close()
  return { target }
}

const hidden = { users: ['api_key', 'password_digest'], devices: ['token', 'owner'] }
const calls = (method: string, ...params: unknown[]) => ({ calls: [{ method, params }] })
const walk = (url: string, ...steps: Walk['steps']): Walk => ({ url, html: true, steps })

const WALKS: readonly Walk[] = [
  ...['/tables/users', '/tables/devices', '/tables/visits'].map((url) => walk(url)),
  ...['zyzzyva', 'quokka', '1', 'y'].flatMap((word) =>
    ['users', 'devices', 'visits'].map((table) => walk(`/tables/${table}?search=${word}`)),
  ),
  ...Object.entries(hidden).flatMap(([table, columns]) =>
    columns.flatMap((column) => [
      walk(`/tables/${table}?sort=-${column}`),
      walk(`/tables/${table}?columns=id,${column}`),
      walk(`/tables/${table}`, calls('sortBy', column, false)),
      walk(`/tables/${table}`, calls('setColumns', ['id', column])),
    ]),
  ),
  ...['users/records/7', 'devices/records/7', 'visits/records/7'].map((row) =>
    walk(`/tables/${row}`),
  ),
  ...['owner=zyzzyva%201', 'token=quokka%2099', 'id=7'].map((filter) =>
    walk(`/tables/devices?filter.${filter}`),
  ),
  walk('/tables/users?sort=name&page=2', calls('turnPage', 'next'), calls('turnPage', 'last')),
  walk('/tables/visits?sort=device_id', calls('turnPage', 'next')),
]

let worlds: readonly [Target, Target]
beforeAll(async () => void (worlds = [await open('one'), await open('two')]))
afterAll(() => Promise.all(worlds.map((target) => target.close())))

test('two databases that differ in secrets only cannot be told apart, not even by who rules them', async ({
  task,
}) => {
  const wrong: string[] = []
  for (const one of WALKS) wrong.push(...(await tellApart(worlds, 'admin', one)))
  record(task, family, WALKS.length * 2)
  expect(wrong).toEqual([])
})

test('a hash that was written into a name later names no row, here or where others refer to it', async () => {
  const opened = await Promise.all((['one', 'two'] as const).map(openNamed))
  const filters = '/tables/loans?filters=open'
  const ask = (method: string, ...params: unknown[]) => walk(filters, calls(method, ...params))
  const walks = [
    ...['loans', 'loans/records/7', 'users', 'users/records/7'].map((to) => walk(`/tables/${to}`)),
    walk('/tables/loans?filter.user_id=7'),
    ...['loans?sort=user_id', 'users?sort=name'].map((to) => walk(`/tables/${to}`)),
    ask('findRelated', 'user_id', ''),
    ...['$2b', '$2b$12$z', 'zyzzyva', 'User'].map((text) => ask('findRelated', 'user_id', text)),
  ]
  const targets = [opened[0]!.target, opened[1]!.target] as const
  const wrong: string[] = []
  for (const one of walks) wrong.push(...(await tellApart(targets, 'admin', one)))
  expect(wrong).toEqual([])
  // The other rows are named.
  const { admin } = targets[0].people
  const { body } = await targets[0].send(visit(admin, '/tables/loans', 'html'))
  expect(body).toContain('User 6')
  await Promise.all(targets.map((target) => target.close()))
})

test('what looks secret is refused like what is not there', async () => {
  const { admin } = worlds[0].people
  for (const [table, columns] of Object.entries(hidden))
    for (const column of columns)
      for (const query of [`sort=${column}`, `columns=${column}`, `filter.${column}=x`]) {
        const { status, body } = await worlds[0].send(visit(admin, `/tables/${table}?${query}`))
        expect([status, JSON.parse(body)]).toMatchObject([
          422,
          { error: { code: 'TABLE_UNKNOWN_COLUMN' } },
        ])
      }
})

test('administrators are told which columns are hidden and why, and nobody else even their names', async () => {
  const { admin, editor, viewer } = worlds[0].people
  for (const [url, component] of [
    ['/tables/users', 'list'],
    ['/tables/users/records/7', 'record'],
  ] as const) {
    const { components } = await readPage(worlds[0].send, url, admin.cookie)
    const { view } = components.find(({ name }) => name === component) ?? {}
    expect(view).toMatchObject({
      hidden: {
        columns: [
          { name: 'api_key', why: 'its name says “api key”' },
          { name: 'password_digest', why: expect.stringContaining('its name says “password”') },
        ],
      },
    })
    const { body: drawn } = await worlds[0].send(visit(admin, url, 'html'))
    // A list draws them once its menu is opened.
    if (component === 'record') {
      expect(drawn).toContain('aria-label="Hidden from everybody, 2"')
      expect(drawn).toContain('api_key: { hidden: false }')
    }
    for (const person of [editor, viewer])
      for (const as of ['data', 'html'] as const) {
        const { status, body } = await worlds[0].send(visit(person, url, as))
        expect(status).toBe(200)
        expect(body).not.toMatch(/api_key|password_digest|its name says/)
      }
  }
})

test('rows are named by nothing that looks secret', async () => {
  const { admin } = worlds[0].people
  const { components } = await readPage(worlds[0].send, '/tables/visits', admin.cookie)
  const list = components.find(({ name }) => name === 'list')
  expect(list?.view).toMatchObject({
    rows: expect.arrayContaining([['7', 'Visit 7', SAME_AS_KEY, ['7', '7']]]),
  })
})

test('declared as shown it is there, and then the databases are told apart', async () => {
  const declared = [await open('one', true), await open('two', true)] as const
  const wrong = await tellApart(declared, 'admin', walk('/tables/users?columns=api_key'))
  for (const word of HIDDEN_WORDS) expect(wrong.join()).toContain(`shows ${word}`)
  const { body } = await declared[0].send(visit(declared[0].people.admin, '/tables/devices'))
  expect(body).not.toContain('zyzzyva')
  await Promise.all(declared.map((target) => target.close()))
})
