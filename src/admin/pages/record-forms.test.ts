import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '../../database/sqlite/open.ts'
import type { Admin } from '../compose/admin-options.ts'
import { createAdmin } from '../compose/create-admin.ts'
import type { HistoryView } from '../../protocol/history-view.ts'
import type { PageData } from '../../protocol/page.ts'

const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }

let folder: string
let admin: Admin
let cookie: string
let data: DatabaseSync

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-forms-'))
  const file = join(folder, 'shop.sqlite')
  data = new DatabaseSync(file)
  data.exec(`create table crews (id integer primary key, name text not null);
    create table jobs (id integer primary key, title text not null unique, note text, hours integer,
      state text not null default 'open' check (state in ('open', 'done')),
      crew_id integer references crews (id));
    create table tools (id integer primary key, name text, deleted_at datetime);
    insert into tools (name) values ('Saw');
    create table scans (id integer primary key, name text, scan blob);
    insert into scans values (1, 'Wing', x'00ff');
    create table orders (id integer primary key, number text not null);
    create table order_lines (id integer primary key,
      order_id integer not null references orders (id) on delete cascade, product text not null,
      amount integer not null default 1 check (amount > 0), crew_id integer references crews (id), note text, tag text unique);
    insert into crews (name) values ('North'), ('South');
    insert into orders (number) values ('A-1');
    insert into order_lines (order_id, product, amount, crew_id, note) values
      (1, 'Kettle', 2, 1, null), (1, 'Quill', 4, null, ''), (1, 'Ink', 10, 2, 'black');
    insert into jobs (title, note, hours, crew_id) values
      ('Wing', 'one' || char(13, 10) || 'two', 3, 1), ('Door', null, null, null), ('Seat', '', 5, 2)`)
  admin = await createAdmin({
    source: await openSqlite(file),
    dataFolder: join(folder, 'data'),
    write: true,
  })
  const link = await admin.accounts.issueLink({ role: 'admin' })
  const client = { address: '127.0.0.1', userAgent: 'test' }
  const { token } = await admin.accounts.redeemLink(link, person, client)
  cookie = `${admin.sessionCookie}=${token}`
})

afterEach(async () => {
  await admin.close()
  data.close()
  await rm(folder, { recursive: true, force: true })
})

type Sent = { [name: string]: string | undefined }

const FORM = 'application/x-www-form-urlencoded'

const page = async (url: string) => (await admin.app.inject({ url, headers: { cookie } })).body

/** Posts to an address what a browser would send, with its line ends. */
const post = (url: string, fields: Sent, headers: { [name: string]: string } = {}) => {
  const sent = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.replace(/\r\n|\r|\n/g, '\r\n')]],
  )
  return admin.app.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(sent).toString() },
    headers: { cookie, 'content-type': FORM, ...headers },
  })
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : unescaped(value)
}

/** What the form of a page would post, untouched. */
function formIn(html: string): Sent {
  const [form = ''] = /<form [^>]*class="record-form"[\s\S]*?<\/form>/.exec(html) ?? []
  const fields: Sent = {}
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const isTicked = /type="(?:checkbox|radio)"/.test(tag) && !/ checked/.test(tag)
    const name = attribute(tag, 'name')
    const value = attribute(tag, 'value') ?? ''
    // A field of one line holds no line ends.
    if (name !== undefined && !isTicked)
      fields[name] = tag.includes('type="text"') ? value.replace(/[\r\n]/g, '') : value
  }
  for (const [, tag = '', text = ''] of form.matchAll(/(<textarea [^>]*>)([\s\S]*?)<\/textarea>/g))
    fields[attribute(tag, 'name') ?? ''] = unescaped(
      text.replace(/\r\n?/g, '\n').replace(/^\n/, ''),
    )
  for (const [, tag = '', options = ''] of form.matchAll(/(<select [^>]*>)([\s\S]*?)<\/select>/g)) {
    const all = [...options.matchAll(/<option [^>]*>/g)].map(([option]) => option)
    const chosen = all.find((option) => option.includes(' selected')) ?? all[0] ?? ''
    fields[attribute(tag, 'name') ?? ''] = attribute(chosen, 'value') ?? ''
  }
  return fields
}

const job = (id: number) => ({ ...data.prepare('select * from jobs where id = ?').get(id) })
const count = () => data.prepare('select count(*) as n from jobs').get()?.['n']

/** How many changes the history lists. */
async function entries(): Promise<number> {
  const answer = await admin.app.inject({
    url: '/history',
    headers: { cookie, 'x-tablewire-navigate': '1' },
  })
  const { components } = answer.json<PageData>()
  const history = components.find(({ name }) => name === 'history')
  // The component's own view.
  return (history?.view as HistoryView | undefined)?.entries.length ?? -1
}

/** Opens a form, and posts it with what a person has changed of it. */
async function fill(url: string, changes: Sent) {
  const form = formIn(await page(url))
  return post(url, { ...form, ...changes })
}

const EDIT = '/tables/jobs/records/1?edit=on'

describe('editing', () => {
  test('writes the touched field alone, and leads to the record with a notice', async () => {
    const form = formIn(await page(EDIT))
    expect(form).toMatchObject({
      ...{ 'set.title': 'Wing', 'set.hours': '3', 'set.state': '=open', 'set.crew_id': 'North' },
    })
    // What somebody else saves meanwhile in another field stays.
    data.exec('update jobs set hours = 8 where id = 1')
    const answer = await post(EDIT, { ...form, 'set.title': 'Left wing' })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/tables/jobs/records/1'])
    expect(job(1)).toMatchObject({ title: 'Left wing', note: 'one\r\ntwo', hours: 8, crew_id: 1 })
    const [told = ''] = String(answer.headers['set-cookie']).split(';', 1)
    const next = await admin.app.inject({
      url: '/tables/jobs/records/1',
      headers: { cookie: `${cookie}; ${told}` },
    })
    expect(next.body).toContain('<noscript><p class="notice" role="status">Saved.</p></noscript>')
    expect(next.headers['set-cookie']).toMatch(/_notice=;/)
  })

  test('of nothing writes nothing', async () => {
    for (const id of [1, 2, 3]) {
      const before = job(id)
      const answer = await fill(`/tables/jobs/records/${id}?edit=on`, {})
      expect([answer.statusCode, job(id)]).toEqual([303, before])
      expect(answer.headers['set-cookie']).toMatch(/_notice=unchanged;/)
    }
  })

  test('keeps to the byte what no browser sends back as it was', async () => {
    const texts = ['a\rb', '\n\nled', 'a\r\nb\nc\rd', ' "x" &amp; <b> ', 'ü\u2028😀']
    const insert = data.prepare('insert into jobs (title, note) values (?, ?)')
    for (const [at, text] of texts.entries()) insert.run(`odd\r${at}`, text)
    for (const [at, text] of texts.entries()) {
      const url = `/tables/jobs/records/${4 + at}?edit=on`
      expect((await fill(url, { 'set.hours': '7' })).statusCode).toBe(303)
      expect(job(4 + at)).toMatchObject({ title: `odd\r${at}`, note: text, hours: 7 })
    }
    await fill('/tables/jobs/records/6?edit=on', { 'set.note': 'a\nb\nc' })
    expect(job(6)).toMatchObject({ note: 'a\nb\nc' })
  })

  test('tells NULL and an empty text apart', async () => {
    const [second, third] = ['/tables/jobs/records/2?edit=on', '/tables/jobs/records/3?edit=on']
    expect(formIn(await page(second))).toMatchObject({ 'set.note': '' })
    await fill(second, { 'empty.note': 'on' })
    expect(job(2)).toMatchObject({ note: '' })
    await fill(second, { 'none.note': 'on' })
    expect(job(2)).toMatchObject({ note: null })
    await fill(third, { 'set.hours': '' })
    expect(job(3)).toMatchObject({ note: '', hours: null })
    await fill(EDIT, { 'set.note': '' })
    expect(job(1)).toMatchObject({ note: '' })
  })

  test('takes the name of a related row, or its key', async () => {
    await fill(EDIT, { 'set.crew_id': 'South' })
    expect(job(1)).toMatchObject({ crew_id: 2 })
    await fill(EDIT, { 'set.crew_id': '1' })
    expect(job(1)).toMatchObject({ crew_id: 1 })
    await fill(EDIT, { 'set.crew_id': '' })
    expect(job(1)).toMatchObject({ crew_id: null })
  })

  test('answers 422 with what was typed and every problem at its field', async () => {
    const typed = { 'set.title': '', 'set.hours': '<many>', 'set.note': 'kept' }
    const answer = await fill(EDIT, typed)
    expect(answer.statusCode).toBe(422)
    expect(formIn(answer.body)).toMatchObject({ 'set.hours': '<many>', 'set.note': 'kept' })
    expect(answer.body).toContain('Write a number.')
    expect(job(1)).toMatchObject({ title: 'Wing', hours: 3 })
    const again = await post(EDIT, {
      ...formIn(answer.body),
      'set.hours': '4',
      'set.title': 'Door',
    })
    expect(again.statusCode).toBe(422)
    expect(again.body).toMatch(/id="[^"]*-error" class="err"/)
    const last = await post(EDIT, { ...formIn(again.body), 'set.title': 'Wing' })
    expect([last.statusCode, job(1)]).toMatchObject([
      303,
      { title: 'Wing', hours: 4, note: 'kept' },
    ])
  })

  test('asks which value stays where somebody else has changed the same field', async () => {
    for (const [stays, title] of [
      ['mine', 'My wing'],
      ['theirs', 'Their wing'],
    ] as const) {
      const form = formIn(await page(EDIT))
      data.exec(`update jobs set title = 'Their wing' where id = 1`)
      const answer = await post(EDIT, { ...form, 'set.title': 'My wing', 'set.hours': '6' })
      expect([answer.statusCode, job(1)]).toMatchObject([422, { title: 'Their wing', hours: 3 }])
      expect(answer.body).toContain('Mine: My wing')
      expect(answer.body).toContain('Theirs: Their wing')
      // Without a choice, it is asked again.
      const again = await post(EDIT, formIn(answer.body))
      expect([again.statusCode, formIn(again.body)]).toMatchObject([
        422,
        { 'set.title': 'My wing', 'set.hours': '6' },
      ])
      const last = await post(EDIT, { ...formIn(again.body), 'stays.title': stays })
      expect([last.statusCode, job(1)]).toMatchObject([303, { title, hours: 6 }])
      data.exec(`update jobs set title = 'Wing', hours = 3 where id = 1`)
    }
  })
})

describe('a new row', () => {
  const NEW = '/tables/jobs/new'

  test('is written once, however often its form is posted', async () => {
    const form = { ...formIn(await page(NEW)), 'set.title': 'Hatch', 'set.crew_id': 'South' }
    const both = await Promise.all([post(NEW, form), post(NEW, form)])
    const answers = [...both, await post(NEW, form)]
    for (const { statusCode, headers } of answers)
      expect([statusCode, headers.location]).toEqual([303, '/tables/jobs/records/4'])
    expect([count(), job(4)]).toMatchObject([
      4,
      { title: 'Hatch', note: null, state: 'open', crew_id: 2 },
    ])
    // The same form with something else in it is told, and written only once it is saved again.
    const other = await post(NEW, { ...form, 'set.title': 'Rear hatch' })
    expect([other.statusCode, count()]).toEqual([422, 4])
    expect(other.body).toContain('This form was saved before')
    expect((await post(NEW, formIn(other.body))).statusCode).toBe(303)
    expect(job(5)).toMatchObject({ title: 'Rear hatch' })
  })

  test('begins with the values of another, which are written as well', async () => {
    const copy = '/tables/jobs/new?copy=1'
    expect((await fill(copy, {})).statusCode).toBe(422)
    expect((await fill(copy, { 'set.title': 'Right wing' })).statusCode).toBe(303)
    expect(job(4)).toMatchObject({ title: 'Right wing', note: 'one\r\ntwo', hours: 3, crew_id: 1 })
  })

  test('says what it lacks', async () => {
    const answer = await fill(NEW, { 'set.note': 'kept' })
    expect([answer.statusCode, count()]).toEqual([422, 3])
    expect(formIn(answer.body)).toMatchObject({ 'set.note': 'kept' })
    expect(answer.body).toMatch(/aria-invalid="true"/)
  })
})

describe('deleting', () => {
  const DELETE = '/tables/jobs/records/2?delete=on'

  test('is asked on the page of the row, done once, and told by the list', async () => {
    expect(await page('/tables/jobs/records/2')).toContain(`href="${DELETE}"`)
    const form = formIn(await page(DELETE))
    const answers = [await post(DELETE, form), await post(DELETE, form)]
    for (const { statusCode, headers } of answers)
      expect([statusCode, headers.location]).toEqual([303, '/tables/jobs'])
    expect(count()).toBe(2)
  })

  test('marks the row where its table has a mark, or deletes it for good', async () => {
    const url = '/tables/tools/records/1?delete=on'
    const form = formIn(await page(url))
    const answer = await post(url, { ...form, mark: 'on' })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/tables/tools/records/1'])
    const tool = () => data.prepare('select * from tools').get()
    expect(tool()?.['deleted_at']).not.toBeNull()
    await post(url, formIn(await page(url)))
    expect(tool()).toBeUndefined()
  })

  test('of what other rows refer to is refused in words', async () => {
    const url = '/tables/crews/records/1?delete=on'
    const form = formIn(await page(url))
    expect((await page(url)).includes('so the database will not delete it')).toBe(true)
    const answer = await post(url, form)
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toMatch(/class="err" role="alert"/)
  })
})

describe('the door', () => {
  test('refuses a forged token, keeps what was typed, and writes nothing', async () => {
    const answer = await fill(EDIT, { _token: 'forged', 'set.title': 'Kept' })
    expect([answer.statusCode, formIn(answer.body)]).toMatchObject([419, { 'set.title': 'Kept' }])
    expect(job(1)).toMatchObject({ title: 'Wing' })
    expect((await post(EDIT, formIn(answer.body))).statusCode).toBe(303)
  })

  test('refuses another origin, another type, too much, and strangers', async () => {
    const form = { ...formIn(await page(EDIT)), 'set.title': 'Theft' }
    const refused = await Promise.all([
      post(EDIT, form, { origin: 'https://evil.example' }),
      post(EDIT, form, { 'sec-fetch-site': 'cross-site' }),
      post(EDIT, form, { 'content-type': 'text/plain' }),
      post(EDIT, { ...form, 'set.note': 'x'.repeat(2 * 1024 * 1024) }),
      post(EDIT, form, { cookie: '' }),
      post('/tables/jobs/records/1', form),
      post('/tables/nowhere/records/1?edit=on', form),
    ])
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([419, 419, 415, 413, 401, 404, 404])
    expect(job(1)).toMatchObject({ title: 'Wing' })
  })

  test('refuses what is no form of ours', async () => {
    const form = formIn(await page(EDIT))
    const refused = [
      await post(EDIT, { ...form, shown: '[]' }),
      await post(EDIT, { ...form, shown: '{"title":{"seen":1}}' }),
      await post(EDIT, { ...form, shown: '{' }),
      await post(EDIT, { ...form, 'set.nowhere': 'x' }),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422, 400, 403])
  })
})

test('the history has an entry for each form that was saved, and none for the others', async () => {
  expect(await entries()).toBe(0)
  await fill(EDIT, { 'set.title': 'Left wing' })
  await fill(EDIT, {})
  await fill(EDIT, { 'set.hours': 'many' })
  await fill(EDIT, { 'set.hours': '3.0' })
  expect(await entries()).toBe(1)
})

describe('lines', () => {
  const ORDER = '/tables/orders/records/1?edit=on'
  const at = (id: string) => `line.order_lines(order_id)/${id}/`
  const stored = () =>
    data
      .prepare('select id, product, amount, crew_id, note from order_lines where order_id = 1')
      .all()
      .map((row) => Object.values(row))
  const FIRST = [1, 'Kettle', 2, 1, null]
  const [SECOND, THIRD] = [
    [2, 'Quill', 4, null, ''],
    [3, 'Ink', 10, 2, 'black'],
  ]

  test('are changed, removed and added with their row, as one change', async () => {
    const form = formIn(await page(ORDER))
    expect(form).toMatchObject({
      [`${at('1')}set.product`]: 'Kettle',
      [`${at('1')}set.crew_id`]: 'North',
    })
    const answer = await post(ORDER, {
      ...form,
      'set.number': 'A-9',
      [`${at('1')}set.amount`]: '3',
      [`${at('1')}set.crew_id`]: 'South',
      [`${at('2')}removed`]: 'on',
      [`${at('new 1')}set.product`]: 'Wax',
      [`${at('new 1')}set.crew_id`]: 'North',
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/tables/orders/records/1'])
    expect(stored()).toEqual([[1, 'Kettle', 3, 2, null], THIRD, [4, 'Wax', 1, 1, null]])
    expect(data.prepare('select number from orders').get()).toEqual({ number: 'A-9' })
    expect(await entries()).toBe(1)
  })

  test('that were not touched are not written, and a new row has its first line at once', async () => {
    const answer = await fill(ORDER, {})
    expect(answer.headers['set-cookie']).toMatch(/_notice=unchanged;/)
    expect(stored()).toEqual([FIRST, SECOND, THIRD])
    // What somebody else saves meanwhile in another line stays.
    const form = formIn(await page(ORDER))
    data.exec('update order_lines set amount = 5 where id = 3')
    await post(ORDER, { ...form, [`${at('1')}set.note`]: 'red' })
    expect(stored()).toEqual([[1, 'Kettle', 2, 1, 'red'], SECOND, [3, 'Ink', 5, 2, 'black']])
    const made = await fill('/tables/orders/new', {
      'set.number': 'A-2',
      [`${at('new 1')}set.product`]: 'Wax',
    })
    expect(made.headers.location).toBe('/tables/orders/records/2')
    const rows = data.prepare('select product from order_lines where order_id = 2').all()
    expect(rows.map((row) => Object.values(row))).toEqual([['Wax']])
  })

  test('come back as they were typed, with what is wrong at its field, and go on from there', async () => {
    const refused = await fill(ORDER, {
      [`${at('1')}set.amount`]: '0',
      [`${at('2')}removed`]: 'on',
      [`${at('new 1')}set.note`]: 'no product',
    })
    expect(refused.statusCode).toBe(422)
    expect(stored()).toEqual([FIRST, SECOND, THIRD])
    expect(refused.body).toContain('Product is required.')
    const again = formIn(refused.body)
    expect(again).toMatchObject({
      [`${at('1')}set.amount`]: '0',
      [`${at('2')}removed`]: expect.any(String),
      [`${at('new 1')}set.note`]: 'no product',
      [`${at('new 2')}set.note`]: '',
    })
    const saved = await post(ORDER, {
      ...again,
      [`${at('1')}set.amount`]: '7',
      [`${at('new 1')}set.product`]: 'Wax',
      [`${at('new 2')}set.product`]: 'Pen',
    })
    expect(saved.statusCode).toBe(303)
    expect(stored()).toEqual([
      [1, 'Kettle', 7, 1, null],
      THIRD,
      [4, 'Wax', 1, null, 'no product'],
      [5, 'Pen', 1, null, null],
    ])
  })

  test('come with a copy of their row, as new ones, without what is unique', async () => {
    data.exec("update order_lines set tag = 't' || id")
    const copy = '/tables/orders/new?copy=1'
    expect(formIn(await page(copy))).toMatchObject({
      [`${at('new 1')}set.product`]: 'Kettle',
      [`${at('new 1')}set.crew_id`]: 'North',
      [`${at('new 1')}set.tag`]: '',
      [`${at('new 4')}set.product`]: '',
    })
    const answer = await fill(copy, {
      [`${at('new 2')}set.product`]: 'Brush',
      [`${at('new 3')}set.amount`]: '0',
      [`${at('new 4')}set.product`]: 'Wax',
    })
    expect(answer.statusCode).toBe(422)
    expect(
      (await post(copy, { ...formIn(answer.body), [`${at('new 3')}set.amount`]: '11' })).statusCode,
    ).toBe(303)
    const made = data
      .prepare('select product, amount, crew_id, note, tag from order_lines where order_id = 2')
      .all()
    expect(made.map((row) => Object.values(row))).toEqual([
      ['Kettle', 2, 1, null, null],
      ['Brush', 4, null, '', null],
      ['Ink', 11, 2, 'black', null],
      ['Wax', 1, null, null, null],
    ])
    expect(stored()).toEqual([FIRST, SECOND, THIRD])
  })

  test('that others have changed as well are asked about', async () => {
    const form = formIn(await page(ORDER))
    data.exec('update order_lines set amount = 5 where id = 1')
    const asked = await post(ORDER, { ...form, [`${at('1')}set.amount`]: '3' })
    expect(asked.statusCode).toBe(422)
    const again = formIn(asked.body)
    const saved = await post(ORDER, { ...again, [`${at('1')}stays.amount`]: 'mine' })
    expect(saved.statusCode).toBe(303)
    expect(stored()[0]).toEqual([1, 'Kettle', 3, 1, null])
    data.exec('update order_lines set amount = 6 where id = 1')
    const theirs = await post(ORDER, {
      ...formIn((await post(ORDER, { ...form, [`${at('1')}set.amount`]: '4' })).body),
      [`${at('1')}stays.amount`]: 'theirs',
    })
    expect([theirs.statusCode, stored()[0]]).toEqual([303, [1, 'Kettle', 6, 1, null]])
  })

  test('refuse what is no form of ours', async () => {
    const form = formIn(await page(ORDER))
    const sent = [
      '{"order_lines(order_id)":"x"}',
      '{"order_lines(order_id)":{"1":{"isNew":false}}}',
      '{',
    ]
    const codes = await Promise.all(
      sent.map(async (lines) => (await post(ORDER, { ...form, lines })).statusCode),
    )
    expect(codes).toEqual([422, 422, 400])
    // A section that the form does not have, and a line of another row, are nothing to it.
    data.exec(
      "insert into orders (number) values ('A-2'); insert into order_lines (order_id, product) values (2, 'Theirs')",
    )
    const shown = JSON.stringify({
      'jobs(crew_id)': { 1: { isNew: false, fields: { title: { seen: 'Wing' } } } },
      'order_lines(order_id)': { 4: { isNew: false, fields: { product: { seen: 'Theirs' } } } },
    })
    const theft = await post(ORDER, {
      ...form,
      lines: shown,
      [`${at('4')}set.product`]: 'Mine',
      'line.jobs(crew_id)/1/set.title': 'Mine',
    })
    expect(theft.statusCode).toBe(422)
    expect(data.prepare('select product from order_lines where id = 4').get()).toEqual({
      product: 'Theirs',
    })
    expect(job(1)).toMatchObject({ title: 'Wing' })
  })
})

test('a file says before that it needs script, is no field without, and stays as it is', async () => {
  const url = '/tables/scans/records/1?edit=on'
  const html = await page(url)
  expect(html).toContain(
    '<noscript><p class="hint">To change the file, allow scripts in your browser.</p></noscript>',
  )
  expect(html).toMatch(/<input [^>]*type="file" class="in needs-script"/)
  const answer = await post(url, { ...formIn(html), 'set.name': 'Tail' })
  expect(answer.statusCode).toBe(303)
  expect(data.prepare('select name, hex(scan) as scan from scans').get()).toEqual({
    ...{ name: 'Tail', scan: '00FF' },
  })
})
