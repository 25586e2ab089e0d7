/** Administrators correct what is inferred in the page: what it shows, what it saves, and who may not. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMetadata } from '../src/database/metadata/metadata.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { openCorrections } from '../src/admin/corrections/corrections.ts'
import { rolePolicy } from '../src/admin/accounts/roles.ts'
import type { CorrectionField, CorrectionsView } from '../src/protocol/corrections-view.ts'
import type { PageData } from '../src/protocol/page.ts'
import type { TableView } from '../src/protocol/table-view.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { createLiveCatalog } from '../src/table/live-catalog.ts'
import type { RowSource } from '../src/table/source/row-source.ts'
import { type Guest, openGuest, people } from './embedding/guest.ts'
import { type FormBrowser, formBrowser } from './form-browser.ts'
import { columnOf, tableOf } from './table-of.ts'

const definitions = {
  fruit: { sort: '-crates', columns: { crates: { unit: 'pcs' } } },
}

let guest: Guest
let browser: FormBrowser

/** A browser in which that person is signed in at the host. */
function browserOf(name: string): FormBrowser {
  const made = formBrowser(guest.admin.app)
  made.cookies.set('host', name)
  return made
}

const openShop = async () => void (guest = await openGuest({ definitions }))

beforeAll(async () => {
  for (const role of ['admin', 'editor', 'viewer'])
    people.set(role, { id: role, name: `The ${role}`, role, session: role })
  people.set('second', { id: 'second', name: 'Second', role: 'admin', session: 'second' })
  await openShop()
})
afterAll(() => guest.close())
beforeEach(() => void (browser = browserOf('admin')))

const PAGE = '/admin/tables/fruit/corrections'
const COLUMN = `${PAGE}?column=name`

const viewIn = (page: PageData): CorrectionsView => {
  // The page's own data.
  const { view } = page.content.data as unknown as { view: CorrectionsView }
  return view
}

const open = async (url = PAGE, by = browser) => viewIn((await by.get(url)).page())

const fieldIn = ({ fields }: CorrectionsView, part: string): CorrectionField =>
  fields.find((field) => field.part === part)!

/** The fields of a page's markup. */
const inputsIn = (html: string) =>
  [...html.matchAll(/<input [^>]*>/g)].map(([tag]) => {
    const valueOf = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    return {
      ...{ name: valueOf('name'), value: valueOf('value') },
      ...{ describedBy: valueOf('aria-describedby'), isWrong: valueOf('aria-invalid') === 'true' },
    }
  })

/** What stands in the elements of these ids, without markup within. */
const textOfAny = (html: string, ids: string): string =>
  ids
    .split(' ')
    .map((id) => html.split(` id="${id}"`)[1]?.split('</p>')[0] ?? '')
    .join(' ')
    .replace(/<[^>]*>/g, '')

/** Posts the form as it stands on the page, with what was entered. */
async function save(
  entered: Readonly<Record<string, string>>,
  { url = PAGE, by = browser }: { url?: string; by?: FormBrowser } = {},
) {
  const { seen, column, action } = await open(url, by)
  return by.post(action, { seen, ...(column !== null && { column }), ...entered })
}

const labels = (table = 'fruit') => {
  const definition = guest.admin.catalog().definitions.get(table)!
  return [definition.label, definition.columns.get('name')?.label]
}

async function listIn(by = browser) {
  const { components } = (await by.get('/admin/tables/fruit')).page()
  return components.find(({ name }) => name === 'list')!.view as unknown as TableView
}

describe('the page', () => {
  test('shows what was read, and what code declares as fixed with its option', async () => {
    const view = await open()
    expect(fieldIn(view, 'label')).toMatchObject({
      ...{ value: 'Fruit', read: 'Read as “Fruit”.', by: null, back: null, fixed: null },
    })
    expect(fieldIn(view, 'sort').fixed).toEqual({
      where: 'Declared by code: tables.fruit.sort',
      value: 'Crates, descending',
    })
    expect(fieldIn(await open(`${PAGE}?column=crates`), 'unit').fixed).toEqual({
      where: 'Declared by code: tables.fruit.columns.crates.unit',
      value: 'pcs',
    })
  })

  test('offers kinds that suit the column, and none that loads pictures', async () => {
    const kind = fieldIn(await open(COLUMN), 'kind')
    const options = kind.kind === 'choice' ? kind.options.map(({ value }) => value) : []
    expect(options).toContain('longtext')
    expect(options).not.toContain('image')
    expect(options).not.toContain('binary')
  })

  test('works as a form alone', async () => {
    const { body } = await browser.get(PAGE)
    expect(body).toContain('name="place:crates"')
    expect(body).toContain('action="/admin/tables/fruit/corrections"')
  })

  test('is linked from the list for administrators alone', async () => {
    expect((await listIn()).correct).toEqual({
      ...{ href: PAGE, table: 'Correct this table…', column: 'Correct this column…' },
    })
    expect(await listIn(browserOf('editor'))).not.toHaveProperty('correct')
  })
})

describe('what is saved', () => {
  afterEach(async () => {
    await guest.close()
    await openShop()
  })

  test('shows everywhere at once, with who has corrected it', async () => {
    const { status, location } = await save({ label: ' Orchard ' })
    expect([status, location]).toEqual([303, `${PAGE}?done=saved`])
    await save({ label: 'Called', kind: 'longtext', unit: '' }, { url: COLUMN })
    expect(labels()).toEqual(['Orchard', 'Called'])
    expect((await listIn()).label).toBe('Orchard')
    const label = fieldIn(await open(), 'label')
    expect(label.by).toMatch(/^Corrected by The admin, .*\.$/)
    expect(label.read).toBe('Read as “Fruit”.')
    expect((await open(`${PAGE}?done=saved`)).done).toBe('Saved for everyone.')
  })

  test('is what was changed on the page, whatever others have saved meanwhile', async () => {
    const second = browserOf('second')
    const before = await open(COLUMN, second)
    await save({ label: 'Called', kind: 'text' }, { url: COLUMN })
    const { seen, action } = before
    await second.post(action, { seen, column: 'name', label: 'Name', kind: 'longtext' })
    const { label, kind } = guest.admin.catalog().definitions.get('fruit')!.columns.get('name')!
    expect([label, kind]).toEqual(['Called', 'longtext'])
  })

  test('is refused where somebody has changed the same meanwhile, and what was typed stays', async () => {
    const second = browserOf('second')
    const { seen, action } = await open(PAGE, second)
    await save({ label: 'Orchard' })
    const refused = await second.post(action, { seen, label: 'Grove' })
    expect([refused.status, labels()[0]]).toEqual([409, 'Orchard'])
    const view = viewIn(refused.page())
    expect(view.error).toMatch(
      /^Nothing was saved: The admin has changed this meanwhile, .*: Label\. Save again/,
    )
    expect(fieldIn(view, 'label')).toMatchObject({
      value: 'Grove',
      by: expect.stringContaining('The admin') as string,
    })
    // Whoever has seen that puts theirs in its place.
    expect((await second.post(action, { seen: view.seen, label: 'Grove' })).status).toBe(303)
    expect(labels()[0]).toBe('Grove')
    // What was put back was changed, too; the same value is no conflict.
    await save({ label: 'Fruit' })
    expect((await second.post(action, { seen: view.seen, label: 'Orchid' })).status).toBe(409)
    expect((await second.post(action, { seen: view.seen, label: 'Fruit' })).status).toBe(303)
  })

  test('goes when it is what was read, by its button, and where the label is empty', async () => {
    await save({ label: 'Orchard' })
    await save({ label: 'Fruit' })
    expect(fieldIn(await open(), 'label').back).toBeNull()
    await save({ label: 'Orchard' })
    const { back } = fieldIn(await open(), 'label')
    expect((await save({ label: 'typed meanwhile', back: back! })).location).toBe(
      `${PAGE}?done=back`,
    )
    expect(labels()[0]).toBe('Fruit')
    // Another one, made since the page was drawn, is not put back with it.
    await save({ label: 'Grove' })
    const late = await save({ label: 'typed', back: back! })
    expect([late.status, labels()[0]]).toEqual([409, 'Grove'])
    expect(viewIn(late.page()).error).toMatch(/^Nothing was saved: The admin has changed this/)
    await save({ label: 'Orchard' })
    await save({ label: ' ' })
    expect(labels()[0]).toBe('Fruit')
    expect((await save({ label: 'Fruit' })).location).toBe(`${PAGE}?done=none`)
  })

  test('orders the columns by the form, and by places without script', async () => {
    const { seen, action } = await open()
    const body = new URLSearchParams([
      ['_token', (await browser.get(PAGE)).page().csrf],
      ['seen', seen],
      ['shown', 'name'],
      ['shown', 'crates'],
      ['shown', 'grower_id'],
      ['place:name', '1'],
      ['place:crates', '3'],
      ['place:grower_id', '2.5'],
    ])
    const answer = await guest.admin.app.inject({
      ...{ method: 'POST', url: action, payload: body.toString() },
      headers: { cookie: 'host=admin', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.statusCode).toBe(303)
    expect((await listIn()).columns.map(({ name }) => name)).toEqual([
      'name',
      'grower_id',
      'crates',
    ])
  })

  test('names values: of whole numbers and texts alone, and of each once', async () => {
    const column = { url: `${PAGE}?column=grower_id` }
    expect((await open(`${PAGE}?column=crates`)).fields.map(({ part }) => part)).toContain('values')
    const { seen, action } = await open(`${PAGE}?column=crates`)
    const { csrf } = (await browser.get(PAGE)).page()
    const body = new URLSearchParams([
      ...Object.entries({ _token: csrf, seen, column: 'crates' }),
      ...[
        ['stored', '4'],
        ['named', 'Few'],
        ['stored', ''],
        ['named', ''],
        ['stored', '90'],
        ['named', 'Many'],
      ],
    ] as [string, string][])
    const answer = await guest.admin.app.inject({
      ...{ method: 'POST', url: action, payload: body.toString() },
      headers: { cookie: 'host=admin', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.statusCode).toBe(303)
    const named = guest.admin.catalog().definitions.get('fruit')!.columns.get('crates')!
    expect(Object.fromEntries(named.values ?? [])).toEqual({ 4: 'Few', 90: 'Many' })
    expect((await browser.get('/admin/tables/fruit')).body).toContain('Many')
    // Values that there are and have no name yet are offered, with how many rows hold them.
    const names = fieldIn(await open(`${PAGE}?column=crates`), 'values')
    expect(names).toMatchObject({
      kind: 'names',
      names: [
        { stored: '4', name: 'Few', rows: '1 row', wrong: null },
        { stored: '90', name: 'Many', rows: '1 row', wrong: null },
        { stored: '1', name: '', rows: '1 row', wrong: null },
        { stored: '', name: '', rows: null, wrong: null },
      ],
    })
    const alike = new URLSearchParams(body)
    alike.append('stored', '5')
    alike.append('named', 'MANY')
    const again = await guest.admin.app.inject({
      ...{ method: 'POST', url: action, payload: alike.toString() },
      headers: { cookie: 'host=admin', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(again.statusCode).toBe(422)
    expect(again.body).toContain('Several values would be called “MANY”')
    const refused = await save({ stored: 'many', named: 'Many' }, column)
    expect([refused.status, viewIn(refused.page()).error]).toEqual([
      422,
      expect.stringMatching(/^The names do not suit/),
    ])
  })

  test('says the currency and the smallest unit of money, and that there is none', async () => {
    const url = `${PAGE}?column=crates`
    const parts = async () => (await open(url)).fields.map(({ part }) => part)
    expect(await parts()).not.toContain('currency')
    await save({ kind: 'money' }, { url })
    expect(await parts()).toEqual(expect.arrayContaining(['currency', 'minorUnit']))
    const field = fieldIn(await open(url), 'currency')
    expect(field).toMatchObject({ kind: 'choice', value: '' })
    const [none, ...others] = 'options' in field ? field.options : []
    expect(none).toEqual({ value: '', label: 'None' })
    const [columns, currencies] = [true, false].map((isColumn) =>
      others.filter(({ group }) => (group === undefined) === isColumn),
    )
    expect(columns).toMatchObject([{ value: 'name' }])
    expect(others.slice(0, 1)).toEqual(columns)
    expect(currencies).toContainEqual({
      ...{ value: 'code:EUR', label: 'EUR, Euro', group: 'One currency for all' },
    })
    await save({ currency: 'name', minorUnit: ' cents ' }, { url })
    const column = () => guest.admin.catalog().definitions.get('fruit')!.columns.get('crates')
    expect(column()).toMatchObject({ currency: 'name', minorUnit: 'cents' })
    await save({ currency: '', minorUnit: '' }, { url })
    expect([column()?.currency, column()?.minorUnit]).toEqual([undefined, undefined])
    await save({ currency: 'code:KWD', minorUnit: 'fils' }, { url })
    expect(column()).toMatchObject({ fixedCurrency: { code: 'KWD', digits: 3 } })
    expect(column()?.currency).toBeUndefined()
    expect(fieldIn(await open(url), 'currency')).toMatchObject({ value: 'code:KWD' })
    expect((await browser.get('/admin/tables/fruit')).body).toContain('0.090')
    const history = (await browser.get('/admin/history')).body
    expect(history).toContain('Corrected the currency of crates in fruit: KWD, Kuwaiti Dinar')
    const refused = await save({ currency: 'code:XQQ' }, { url })
    expect([refused.status, fieldIn(viewIn(refused.page()), 'currency').error]).toEqual([
      422,
      'Choose a column that says currencies of amounts, or a currency.',
    ])
    await save({ currency: '' }, { url })
    expect(column()?.fixedCurrency).toBeUndefined()
  })

  const columnPage = `${PAGE}?column=crates`

  test('keeps what was typed where some of it is refused, with a sentence beside it, at its address', async () => {
    const names: [stored: string, named: string][] = [
      ['4', 'Aaa'],
      ['90', ' aaa'],
      ['1', ''],
      ['7', 'Seven'],
    ]
    const post = async (seen: string, by = browser) => {
      const { csrf } = (await by.get(PAGE)).page()
      const { action } = await open(columnPage, by)
      expect(action).toBe(columnPage)
      const body = new URLSearchParams({ _token: csrf, seen, column: 'crates' })
      body.append('label', 'Boxes')
      for (const [stored, named] of names) {
        body.append('stored', stored)
        body.append('named', named)
      }
      const answer = await guest.admin.app.inject({
        ...{ method: 'POST', url: action, payload: body.toString() },
        headers: {
          cookie: `host=${by.cookies.get('host')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
      })
      return { status: answer.statusCode, body: answer.body }
    }
    const { seen } = await open(columnPage)
    const { status, body } = await post(seen)
    const alike = 'Several values would be called “aaa”. Give each a name of its own.'
    expect(status).toBe(422)
    expect(body).not.toContain('wrong shape')
    const drawn = inputsIn(body)
    expect(drawn.filter(({ name }) => name === 'named').map(({ value }) => value)).toEqual(
      names.map(([, named]) => named).concat(['']),
    )
    expect(drawn.filter(({ name }) => name === 'stored').map(({ value }) => value)).toEqual(
      names.map(([stored]) => stored).concat(['']),
    )
    expect(drawn.find(({ name }) => name === 'label')?.value).toBe('Boxes')
    const wrong = drawn.filter(({ isWrong }) => isWrong)
    expect(wrong.map(({ value }) => value)).toEqual(['Aaa', ' aaa'])
    for (const { describedBy } of wrong) expect(textOfAny(body, describedBy)).toContain(alike)
    expect(labels()).toEqual(['Fruit', 'Name'])
  })

  test('tells all that does not suit at once, and what somebody has changed is told by the next save', async () => {
    await save({ kind: 'money' }, { url: columnPage })
    const before = await open(columnPage)
    await save({ label: 'Theirs' }, { url: columnPage, by: browserOf('second') })
    const mine = { column: 'crates', label: 'Mine', minorUnit: '100' }
    const refused = await browser.post(columnPage, { ...mine, seen: before.seen })
    const view = viewIn(refused.page())
    expect(refused.status).toBe(422)
    expect(fieldIn(view, 'label')).toMatchObject({ value: 'Mine', error: '' })
    // All that was entered is not saved, and nothing else.
    const unsaved = view.fields.filter(({ isUnsaved }) => isUnsaved)
    expect(unsaved.map(({ part }) => part)).toEqual(['label', 'minorUnit'])
    expect(fieldIn(view, 'minorUnit')).toMatchObject({
      value: '100',
      error: expect.stringMatching(/^The smallest unit is a word without digits/) as string,
    })
    const again = { ...mine, minorUnit: 'cents', seen: view.seen }
    const conflict = await browser.post(columnPage, again)
    expect(conflict.status).toBe(409)
    const long = { ...mine, label: 'x'.repeat(101), minorUnit: 'x'.repeat(13) }
    const twice = viewIn((await browser.post(columnPage, { ...long, seen: '{}' })).page())
    expect(fieldIn(twice, 'label').error).toBe('At most 100 characters.')
    expect(fieldIn(twice, 'minorUnit').error).toBe('At most 12 characters.')
  })

  test('refuses a long name of a value', async () => {
    const refused = await save({ stored: '4', named: 'x'.repeat(300) }, { url: columnPage })
    const values = fieldIn(viewIn(refused.page()), 'values')
    expect([refused.status, values.error]).toEqual([422, 'At most 100 characters.'])
    expect(values).toMatchObject({ names: { 0: { stored: '4', wrong: 'named' } } })
  })

  test('reaches lists that are open by their next refresh', async () => {
    const { csrf, updateUrl, components } = (await browser.get('/admin/tables/fruit')).page()
    const { snapshot } = components.find(({ name }) => name === 'list')!
    const refresh = async () => {
      const answer = await guest.admin.app.inject({
        ...{ method: 'POST', url: updateUrl },
        headers: { cookie: 'host=admin', 'content-type': 'application/json', 'x-tablewire': '1' },
        payload: JSON.stringify({
          _token: csrf,
          components: [{ snapshot, updates: {}, calls: [] }],
        }),
      })
      const { components: answered } = answer.json<UpdateResponse>()
      return answered[0]?.effects.view as TableView | undefined
    }
    expect(await refresh()).toBeUndefined()
    await save({ label: 'Orchard' })
    expect((await refresh())?.label).toBe('Orchard')
  })

  test('is not in effect once its column is gone, which the page says and takes back', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tablewire-corrections-')), 'shop.sqlite')
    const run = (text: string) => {
      const database = new DatabaseSync(file)
      database.exec(text)
      database.close()
    }
    run('create table fruit (id integer primary key, name text, crates integer)')
    await guest.close()
    guest = await openGuest({ source: await openSqlite(file) })
    browser = browserOf('admin')
    await save({ label: 'Boxes' }, { url: `${PAGE}?column=crates` })
    run('alter table fruit drop column crates')
    await expect
      .poll(async () => (await open()).ignored)
      .toEqual([
        {
          text: 'crates, Label: “crates” is no longer there.',
          back: expect.stringMatching(/^\["crates","label",\d+\]$/) as string,
        },
      ])
    await save({ back: (await open()).ignored[0]!.back })
    expect((await open()).ignored).toEqual([])
  })

  test('is told in the history, to administrators', async () => {
    await save({ label: 'Orchard' })
    await save({ label: 'Grove' })
    await save({ label: 'Called' }, { url: COLUMN })
    await save({ label: 'Fruit' })
    const told = async (by: FormBrowser) => {
      const { components } = (await by.get('/admin/history')).page()
      return JSON.stringify(components.find(({ name }) => name === 'history')?.view)
    }
    const history = await told(browser)
    for (const what of [
      'Corrected the label of fruit: Orchard',
      'Corrected the label of fruit from Orchard to Grove',
      'Corrected the label of name in fruit: Called',
      'Put the label of fruit back, which was Grove',
    ])
      expect(history).toContain(what)
    expect(await told(browserOf('editor'))).not.toContain('Orchard')
  })

  test('markup in a label is text wherever it is shown', async () => {
    await save({ label: '<img src=x onerror=alert(1)>' })
    for (const url of [PAGE, '/admin/tables/fruit', '/admin/history'])
      expect((await browser.get(url)).body).not.toContain('<img src=x')
  })
})

describe('who may not', () => {
  test.each(['editor', 'viewer'])('%s, in the page and by a request of their own', async (role) => {
    const other = browserOf(role)
    expect((await other.get(PAGE)).status).toBe(403)
    await other.get('/admin/tables/fruit')
    const answer = await other.post(PAGE, { seen: '{}', label: 'Mine' })
    expect(answer.status).toBe(403)
    expect(labels()[0]).toBe('Fruit')
  })

  test('a stranger, another origin, and who has no token', async () => {
    const { seen, action } = await open()
    const post = (headers: Record<string, string>, token = '') =>
      guest.admin.app.inject({
        ...{ method: 'POST', url: action },
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams({ _token: token, seen, label: 'Mine' }).toString(),
      })
    const { csrf } = (await browser.get(PAGE)).page()
    expect((await post({})).statusCode).toBe(401)
    expect((await post({ cookie: 'host=admin' })).statusCode).toBe(419)
    expect(
      (await post({ cookie: 'host=admin', origin: 'https://evil.example' }, csrf)).statusCode,
    ).toBe(419)
    expect(labels()[0]).toBe('Fruit')
  })

  test('an administrator who only looks at what a role sees', async () => {
    const { csrf } = (await browser.get('/admin/people/roles')).page()
    await browser.post('/admin/people/roles/see', { _token: csrf, role: 'editor' })
    await browser.get('/admin/tables/fruit')
    expect((await browser.post(PAGE, { seen: '{}', label: 'Mine' })).status).toBe(403)
    expect(labels()[0]).toBe('Fruit')
  })
})

describe('what is refused with an error of the catalogue', () => {
  const sent = (entered: Record<string, string>, url = PAGE) => save(entered, { url })

  test.each<[string, Record<string, string>, RegExp]>([
    ['a forged column', { labelColumn: 'price' }, /It names the column “price”/],
    ['a column of the prototype', { shown: 'constructor' }, /It names the column “constructor”/],
    [
      'what code declares',
      { sort: 'name', direction: 'ascending' },
      /Code declares tables\.fruit\.sort/,
    ],
    ['a long label', { label: 'x'.repeat(101) }, /^At most 100 characters\.$/],
  ])('%s', async (_, entered, error) => {
    const answer = await sent(entered)
    expect(answer.status).toBe(422)
    expect(viewIn(answer.page()).error).toMatch(error)
    expect(labels()).toEqual(['Fruit', 'Name'])
  })

  test.each(['image', 'file', 'binary', 'relation', 'nonsense', '__proto__', '<b>'])(
    'the kind %s',
    async (kind) => {
      const answer = await sent({ kind }, COLUMN)
      expect(answer.status).toBe(422)
      expect(viewIn(answer.page()).error).toBe('This kind does not suit the column.')
    },
  )

  test.each<[string, Record<string, string>]>([
    ['a column that there is not', { column: 'price', label: 'Price' }],
    ['a column of the prototype', { column: '__proto__', label: 'Price' }],
  ])('%s has no page', async (_, entered) => {
    const { action } = await open()
    expect((await browser.post(action, entered)).status).toBe(404)
  })

  test.each<[string, Record<string, string>]>([
    ['what was seen as no JSON', { seen: '{' }],
    ['what is put back as no name', { back: '{"a":1}' }],
    ['a very long name', { labelColumn: 'x'.repeat(2000) }],
  ])('%s', async (_, entered) => {
    expect((await browser.get(PAGE)).status).toBe(200)
    expect((await browser.post(PAGE, entered)).status).toBe(422)
  })
})

/** A node: its catalog of one table, over metadata that it shares. */
async function openNode(address: string) {
  const metadata = await openMetadata(address)
  const source = {
    describe: async () => ({
      ...{ name: 'shop', engine: 'SQLite 3' },
      tables: [tableOf([columnOf('id', { type: 'integer' }), columnOf('name')])],
    }),
    // The catalog asks a source for nothing else.
  } as unknown as RowSource
  const report = vi.fn()
  const live = await createLiveCatalog(source, rolePolicy, { now: Date.now, report })
  const options = { metadata, live, database: 'shop', now: Date.now, followMs: 5 }
  const desk = await openCorrections(options)
  return {
    ...{ desk, metadata },
    label: () => live.current().definitions.get('strikes')?.label,
    async close() {
      desk.close()
      await metadata.close()
    },
  }
}

test('of two who save at once, the second is refused within the transaction', async () => {
  const address = join(mkdtempSync(join(tmpdir(), 'tablewire-corrections-')), 'meta.sqlite')
  const { desk, label, close } = await openNode(address)
  const person = (name: string) => ({ id: name, name, email: '', role: 'admin' })
  const save = (name: string) => {
    const isSeen = (stored: unknown) => stored === undefined
    return desk.save(person(name), [
      { table: 'strikes', column: null, part: 'label', value: name, isSeen },
    ])
  }
  const done = await Promise.allSettled([save('Ana'), save('Ben')])
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const winner = label()
  const lost = done.find((one) => one.status === 'rejected')
  expect(lost?.reason).toMatchObject({
    code: 'CHANGED_MEANWHILE',
    last: { byName: winner, part: 'label' },
  })
  await close()
})

test('other nodes follow, and one that starts has all', async () => {
  const address = join(mkdtempSync(join(tmpdir(), 'tablewire-corrections-')), 'meta.sqlite')
  const [one, two] = [await openNode(address), await openNode(address)]
  const heard = vi.fn()
  two.desk.onChange(heard)
  const ana = { id: 'ana', name: 'Ana', email: '', role: 'admin' }
  const change = (value: string | undefined) =>
    one.desk.save(ana, [
      { table: 'strikes', column: null, part: 'label', value, isSeen: () => true },
    ])
  await change('Corrected')
  expect(one.label()).toBe('Corrected')
  await expect.poll(two.label).toBe('Corrected')
  expect(heard).toHaveBeenCalledTimes(1)
  const three = await openNode(address)
  expect(three.label()).toBe('Corrected')
  await change(undefined)
  await expect.poll(two.label).toBe('Strikes')
  await expect(one.desk.save({ ...ana, role: 'editor' }, [])).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  for (const node of [one, two, three]) await node.close()
})
