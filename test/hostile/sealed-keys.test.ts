/** Hostile onlookers: sessions are listed, opened and turned over, and nobody is told a key of one. */

import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordView } from '../../src/protocol/record-view.ts'
import { SAME_AS_KEY, type TableView } from '../../src/protocol/table-view.ts'
import { record } from './attack.ts'
import { update, visit } from './requests.ts'
import { openTarget, readPage, type Target } from './target.ts'

const family = 'sealed keys'
const WORD = 'zyzzyva'
const list = '/tables/django_session'

/** As Django makes them, in an order that is not that of their keys; and what refers to one. */
function makeSessions(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO people VALUES (1, 'Ada');
    CREATE TABLE django_session (
      session_key VARCHAR(40) PRIMARY KEY NOT NULL, session_data TEXT, expire_date DATETIME,
      person_id INTEGER REFERENCES people (id));
    CREATE INDEX session_expires ON django_session (expire_date);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, visit TEXT REFERENCES django_session (session_key));
    CREATE TABLE marks (
      token TEXT NOT NULL, place INTEGER NOT NULL, note TEXT, PRIMARY KEY (token, place));
    INSERT INTO marks VALUES ('${WORD} 1', 1, 'first'), ('${WORD} 2', 1, 'second');
  `)
  for (let id = 1; id <= 70; id++) {
    const key = `${WORD}${String((id * 37) % 100).padStart(3, '0')}`
    db.prepare('INSERT INTO django_session VALUES (?, ?, ?, 1)').run(
      key,
      `data ${key}`,
      `2026-01-${String(1 + (id % 28)).padStart(2, '0')} 10:00:00`,
    )
    db.prepare('INSERT INTO visits VALUES (?, ?)').run(id, key)
  }
  db.close()
}

let target: Target
beforeAll(async () => {
  target = await openTarget({ prepare: makeSessions, table: 'people' })
})
afterAll(() => target.close())

/** What a body says, and what is said by all that may be an encoded text in it. */
const told = (body: string): string =>
  [
    body,
    ...(body.match(/[\w-]{8,}/g) ?? []).map((run) => String(Buffer.from(run, 'base64url'))),
  ].join()

async function look(url: string): Promise<string> {
  const bodies: string[] = []
  for (const as of ['data', 'html'] as const) {
    const { body } = await target.send(visit(target.people.admin, url, as))
    expect(told(body), url).not.toContain(WORD)
    bodies.push(body)
  }
  return bodies.join('\n')
}

async function viewOf<View>(url: string, name: string): Promise<View> {
  await look(url)
  const { components } = await readPage(target.send, url, target.people.admin.cookie)
  return components.find((component) => component.name === name)?.view as View
}

const hrefOf = (key: string, table = list) => `${table}/records/${encodeURIComponent(key)}`

test('every session is listed once, on pages that lead to each other', async ({ task }) => {
  for (const query of ['', '?sort=-expire_date', '?search=Ada']) {
    const keys: string[] = []
    let url: string | undefined = `${list}${query}`
    while (url !== undefined) {
      const view: TableView = await viewOf<TableView>(url, 'list')
      keys.push(...view.rows.map(([key]) => key))
      url = view.page.next
    }
    expect(new Set(keys).size).toBe(70)
    expect(keys).toHaveLength(70)
  }
  record(task, family, 18)
})

test('a session has a page, with those before and after it', async () => {
  const { rows, columns } = await viewOf<TableView>(`${list}?sort=expire_date`, 'list')
  expect(columns.map(({ name }) => name)).not.toContain('session_key')
  const keys = rows.map(([key]) => key)
  const from = `?from=${encodeURIComponent('sort=expire_date')}`
  const view = await viewOf<RecordView>(hrefOf(keys[3]!) + from, 'record')
  expect(view.previous).toContain(hrefOf(keys[2]!))
  expect(view.next).toContain(hrefOf(keys[4]!))
  expect(view.sections.flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual([
    'expire_date',
    'person_id',
  ])
  expect(view.label).toMatch(/^Django session [\w-]{10}…$/)
  expect(view.hidden?.columns.map(({ name }) => name)).toEqual(['session_key', 'session_data'])
})

test('rows of composite keys are sealed whole, and their open parts are shown', async () => {
  const { rows } = await viewOf<TableView>('/tables/marks', 'list')
  const view = await viewOf<RecordView>(hrefOf(rows[0]![0], '/tables/marks'), 'record')
  expect(view.sections.flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual([
    'place',
    'note',
  ])
})

test('what refers to a session shows no key, and is found from whom the session refers to', async () => {
  const visits = await viewOf<TableView>('/tables/visits', 'list')
  expect(visits.rows[0]).toEqual(['1', 'Visit 1', SAME_AS_KEY])
  const person = await viewOf<RecordView>('/tables/people/records/1', 'record')
  expect(person.related.map(({ href }) => href)).toEqual([`${list}?filter.person_id=1`])
  expect((await viewOf<TableView>(`${list}?filter.person_id=1`, 'list')).rows).toHaveLength(25)
})

test('a key itself, a token of another table and a changed one find nothing', async ({ task }) => {
  const [row] = (await viewOf<TableView>(list, 'list')).rows
  const [mark] = (await viewOf<TableView>('/tables/marks', 'list')).rows
  const token = row![0]
  const changed = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const key of [`${WORD}037`, mark![0], changed, `${token}=`, token.slice(2), '%'])
    for (const as of ['data', 'html'] as const) {
      const { status } = await target.send(visit(target.people.admin, hrefOf(key), as))
      expect(status, key).toBe(404)
    }
  record(task, family, 12)
})

test('no place of a page is one but those that were given', async () => {
  const anchor = Buffer.from(JSON.stringify([[], [`${WORD}037`]])).toString('base64url')
  for (const at of ['after', 'before'])
    for (const place of [anchor, (await viewOf<TableView>(list, 'list')).rows[0]![0]]) {
      const { status } = await target.send(visit(target.people.admin, `${list}?${at}=${place}`))
      expect(status).toBe(422)
    }
})

test('keys order, find and name nothing', async () => {
  for (const query of [
    ...['sort=session_key', 'columns=session_key', `filter.session_key=${WORD}037`],
    'sort=-session_data',
  ]) {
    const { status, body } = await target.send(visit(target.people.admin, `${list}?${query}`))
    expect([status, JSON.parse(body)]).toMatchObject([
      422,
      { error: { code: 'TABLE_UNKNOWN_COLUMN' } },
    ])
  }
  const { components } = await readPage(target.send, list, target.people.admin.cookie)
  const { snapshot } = components.find(({ name }) => name === 'list')!
  const found = await target.send(
    update(target.people.admin, { snapshot, updates: { search: WORD } }),
  )
  expect(JSON.parse(found.body)).toMatchObject({
    components: [{ effects: { view: { rows: [] } } }],
  })
})
