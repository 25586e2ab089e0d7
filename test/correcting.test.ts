/** A table is corrected beside its list: what the administrator is shown before it is saved, and what others are. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rolePolicy } from '../src/admin/accounts/roles.ts'
import { createCorrectionsComponent } from '../src/admin/corrections/component.ts'
import { openCorrections } from '../src/admin/corrections/corrections.ts'
import { openMetadata } from '../src/database/metadata/metadata.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import type { EnteredFields } from '../src/protocol/corrections-view.ts'
import type { Actor } from '../src/server/actor.ts'
import { testComponent } from '../src/server/component/test-component.ts'
import { createListComponent } from '../src/table/list/component.ts'
import { createTotals } from '../src/table/list/totals.ts'
import { createLiveCatalog } from '../src/table/live-catalog.ts'
import { doorTo } from './door-to.ts'
import { admin } from './table-of.ts'

const editor: Actor = { ...admin, id: 'eve', role: 'editor' }
const params = { table: 'fruit' }

let office: Awaited<ReturnType<typeof openOffice>>

beforeEach(async () => void (office = await openOffice()))
afterEach(() => office.close())

async function openOffice() {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-correcting-'))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`create table fruit (id integer primary key, name text, crates integer);
    insert into fruit (name, crates) values ('Quince', 4), ('Apple', 90), ('Medlar', 1)`)
  database.close()
  const source = await openSqlite(file)
  const metadata = await openMetadata(join(folder, 'meta.sqlite'))
  const definitions = { fruit: { columns: { crates: { unit: 'pcs' } } } }
  const report = (error: unknown) => expect(error).toBeUndefined()
  const live = await createLiveCatalog(source, rolePolicy, { definitions, now: Date.now, report })
  const desk = await openCorrections({ metadata, live, database: 'shop', now: Date.now })
  const shared = { source, catalog: live.current }
  const list = createListComponent({
    ...{ ...shared, totals: createTotals(source), door: doorTo(source, live.current) },
    href: (table) => `/tables/${table}`,
    preview: live.preview,
  })
  const corrections = createCorrectionsComponent({
    ...{ ...shared, corrections: desk, preview: live.preview },
    href: (table, column) => `/tables/${table}/corrections/${column}`,
  })
  return {
    /** Changes the tables, and waits until that is known. */
    async change(statement: string) {
      const database = new DatabaseSync(file)
      database.exec(statement)
      database.close()
      const { version } = live.current()
      const isKnown = async () => {
        await live.refresh()
        return live.current().version > version
      }
      await expect.poll(isKnown).toBe(true)
    },
    list: (actor = admin, query = '') =>
      testComponent(list, { actor, params, query: new URLSearchParams(query) }),
    corrections: (actor = admin, table = 'fruit') =>
      testComponent(corrections, { actor, params: { table } }),
    definition: () => live.current().definitions.get('fruit')!,
    async close() {
      desk.close()
      await metadata.close()
      await source.close()
    },
  }
}

type Corrections = Awaited<ReturnType<(typeof office)['corrections']>>

/** Enters this beside what the fields of the table, or of the column that is shown, hold. */
const enter = ({ view: { view }, call }: Corrections, fields: EnteredFields) =>
  call.enter(view.column, { seen: [view.seen], ...fields })

const field = ({ view: { view } }: Corrections, part: string) =>
  view.fields.find((one) => one.part === part)

describe('what is entered and not saved', () => {
  test('shows in the list of whoever has entered it alone, until it is dropped', async () => {
    const [list, corrections] = [await office.list(), await office.corrections()]
    await enter(corrections, { label: ['Orchard'] })
    await corrections.call.show('name')
    await enter(corrections, { label: ['Called'], stored: ['Apple', ''], named: ['A', ''] })
    expect(corrections.view).toMatchObject({ unsaved: 3, view: { title: 'Correct Called' } })
    await list.call.previewCorrections(corrections.view.preview)
    expect(list.view.label).toBe('Orchard')
    const heads = () => list.view.columns.map(({ label, previewed }) => [label, previewed])
    expect(heads()).toContainEqual(['Called', true])
    expect(heads()).toContainEqual(['Crates', undefined])
    expect(JSON.stringify(list.view.rows)).toContain('"A"')
    expect((await office.list()).view.label).toBe('Fruit')
    expect(office.definition().label).toBe('Fruit')
    await corrections.call.drop()
    expect(corrections.view).toMatchObject({ unsaved: 0, preview: '' })
    await list.call.previewCorrections(corrections.view.preview)
    expect(list.view.label).toBe('Fruit')
    expect(heads()).toContainEqual(['Name', undefined])
  })

  test('of columns and order shows whatever the person has chosen for themselves', async () => {
    const list = await office.list(admin, 'columns=name,crates&sort=name')
    const corrections = await office.corrections()
    await enter(corrections, {
      shown: ['name', 'id'],
      sort: ['crates'],
      direction: ['descending'],
    })
    await list.call.previewCorrections(corrections.view.preview)
    expect(list.view.columns.map(({ name }) => name)).toEqual(['name', 'id'])
    expect(list.view.rows.map(([key]) => key)).toEqual(['2', '1', '3'])
    await list.call.previewCorrections('')
    expect(list.view.columns.map(({ name }) => name)).toEqual(['name', 'crates'])
    expect(list.view.rows.map(([key]) => key)).toEqual(['2', '3', '1'])
  })

  test('that does not suit is told beside its field, and shows nowhere', async () => {
    const corrections = await office.corrections()
    await corrections.call.show('name')
    await enter(corrections, { label: ['x'.repeat(101)], unit: ['kg'] })
    expect(field(corrections, 'label')).toMatchObject({
      ...{ error: 'At most 100 characters.', value: 'x'.repeat(101), isUnsaved: true },
    })
    expect(JSON.parse(corrections.view.preview)).toEqual([
      { column: 'name', part: 'unit', value: 'kg' },
    ])
    await corrections.call.show(null)
    expect(await corrections.call.save()).toEqual({ status: 'refused' })
    // The column that is wrong is shown.
    expect(corrections.view.view.column).toBe('name')
    expect(office.definition().columns.get('name')?.label).toBe('Name')
  })

  test('makes room for what it needs: money has a currency', async () => {
    const corrections = await office.corrections()
    await corrections.call.show('crates')
    expect(field(corrections, 'currency')).toBeUndefined()
    await enter(corrections, { kind: ['money'] })
    expect(field(corrections, 'currency')).toMatchObject({ value: '' })
  })

  test('goes back to what was read, one by one and all at once', async () => {
    const corrections = await office.corrections()
    await enter(corrections, { label: ['Orchard'], labelColumn: ['crates', ''] })
    await corrections.call.putBack('label')
    expect(field(corrections, 'label')).toMatchObject({ value: 'Fruit', isUnsaved: false })
    expect(field(corrections, 'labelColumn')).toMatchObject({ isUnsaved: true })
    await corrections.call.save()
    await corrections.call.show('name')
    await enter(corrections, { label: ['Called'] })
    await corrections.call.save()
    expect(corrections.view.isCorrected).toBe(true)
    await corrections.call.putAllBack()
    expect(corrections.view.unsaved).toBe(2)
    expect(office.definition().columns.get('name')?.label).toBe('Called')
    await corrections.call.save()
    expect(office.definition().columns.get('name')?.label).toBe('Name')
    expect(office.definition().labelColumns).toEqual(['name'])
    expect(corrections.view).toMatchObject({ unsaved: 0, isCorrected: false })
  })
})

describe('what is saved', () => {
  test('is all of the table and its columns together', async () => {
    const corrections = await office.corrections()
    await enter(corrections, { label: ['Orchard'] })
    await corrections.call.show('name')
    await enter(corrections, { label: ['Called'] })
    expect(await corrections.call.save()).toEqual({ status: 'saved' })
    expect(corrections.view).toMatchObject({ unsaved: 0, preview: '' })
    const { label, columns } = office.definition()
    expect([label, columns.get('name')?.label]).toEqual(['Orchard', 'Called'])
  })

  test('of a conflict is what was changed, and nothing else that the fields held', async () => {
    const [mine, theirs] = [await office.corrections(), await office.corrections()]
    const shown = field(mine, 'shown')
    const held = shown?.kind === 'columns' ? shown.columns.filter(({ isShown }) => isShown) : []
    const all = { shown: held.map(({ name }) => name), labelColumn: ['name', ''] }
    await enter(mine, { ...all, label: ['Mine'] })
    await enter(theirs, { label: ['Theirs'], shown: ['name', 'id'], labelColumn: ['crates', ''] })
    await theirs.call.save()
    expect(await mine.call.save()).toMatchObject({ status: 'conflict' })
    expect(mine.view.unsaved).toBe(1)
    expect(field(mine, 'labelColumn')).toMatchObject({ values: ['crates', ''], isUnsaved: false })
    await mine.call.save()
    expect(office.definition()).toMatchObject({
      ...{ label: 'Mine', labelColumns: ['crates'], defaultColumns: ['name', 'id'] },
    })
  })

  test('is nothing where somebody has changed the same, whom it names, and all of it the next time', async () => {
    const [mine, theirs] = [await office.corrections(), await office.corrections()]
    await enter(mine, { label: ['Mine'], labelColumn: ['crates'] })
    await enter(theirs, { label: ['Theirs'] })
    await theirs.call.save()
    expect(await mine.call.save()).toEqual({
      status: 'conflict',
      message: expect.stringMatching(/^Nothing was saved: Ana has changed this/) as string,
    })
    expect(office.definition()).toMatchObject({ label: 'Theirs', labelColumns: ['name'] })
    expect(field(mine, 'label')).toMatchObject({ value: 'Mine', isUnsaved: true })
    expect(await mine.call.save()).toEqual({ status: 'saved' })
    expect(office.definition()).toMatchObject({ label: 'Mine', labelColumns: ['crates'] })
  })
})

describe('who may not, and what does not suit', () => {
  test('an editor neither corrects nor is shown what is not saved', async () => {
    await expect(office.corrections(editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const list = await office.list(editor)
    const text = JSON.stringify([{ column: null, part: 'label', value: 'Mine' }])
    await expect(list.call.previewCorrections(text)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('whoever is no administrator any more is shown what everybody is, and may leave', async () => {
    const person = { ...admin }
    const list = await office.list(person, 'columns=name,crates&sort=name')
    await list.call.previewCorrections(
      JSON.stringify([
        { column: null, part: 'shown', value: ['id'] },
        { column: 'name', part: 'label', value: 'Called' },
      ]),
    )
    expect(list.view.columns.map(({ name }) => name)).toEqual(['id'])
    person.role = 'editor'
    await list.refresh()
    const heads = () =>
      list.view.columns.map(({ name, label, previewed }) => [name, label, previewed])
    expect(list.view.preview).toBeUndefined()
    expect(heads()).toEqual([
      ['name', 'Name', undefined],
      ['crates', 'Crates', undefined],
    ])
    await list.call.previewCorrections('')
    expect(list.data).toMatchObject({ preview: [] })
  })

  test('nothing is planned for rows of a preview, whose values may never mean what they show', async () => {
    const list = await office.list()
    const value = JSON.stringify([{ column: null, part: 'label', value: 'Orchard' }])
    await list.call.previewCorrections(value)
    await expect(list.ask('bulkFields')).rejects.toMatchObject({ code: 'TABLE_READ_ONLY' })
  })

  test('a draft that no longer suits the table is refused, and stays', async () => {
    const corrections = await office.corrections()
    await enter(corrections, { label: ['Orchard'], shown: ['crates', 'name', 'id'] })
    await office.change('alter table fruit drop column name')
    await corrections.refresh()
    expect(field(corrections, 'shown')?.error).toMatch(/name/)
    expect(await corrections.call.save()).toEqual({ status: 'refused' })
    expect(field(corrections, 'label')).toMatchObject({ value: 'Orchard', isUnsaved: true })
    expect(corrections.view.unsaved).toBe(2)
  })

  test('an order goes back to none where none was read', async () => {
    await office.change('create table plain (note text); insert into plain values (1), (2)')
    const plain = await office.corrections(admin, 'plain')
    await enter(plain, { sort: ['note'], direction: ['descending'] })
    await plain.call.save()
    expect(plain.view.isCorrected).toBe(true)
    await plain.call.putAllBack()
    await plain.call.save()
    expect(plain.view.isCorrected).toBe(false)
  })

  test.each(['{', '{}', '[{"part":"label"}]', '[{"column":null,"part":"label","more":1}]'])(
    'a preview of %s is refused',
    async (text) => {
      const { call } = await office.list()
      await expect(call.previewCorrections(text)).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
      })
    },
  )

  test.each<[what: string, parts: readonly object[]]>([
    ['a kind that loads pictures', [{ column: 'name', part: 'kind', value: 'image' }]],
    ['what code declares', [{ column: 'crates', part: 'unit', value: 'kg' }]],
    ['a column that there is not', [{ column: 'price', part: 'label', value: 'Price' }]],
    ['an option that is none', [{ column: null, part: 'write', value: false }]],
    ['a column of the prototype', [{ column: '__proto__', part: 'label', value: 'x' }]],
  ])('a preview shows nothing of %s', async (_, parts) => {
    const list = await office.list()
    const heads = () => list.view.columns.map(({ label, kind, unit }) => [label, kind, unit])
    const before = heads()
    await list.call.previewCorrections(JSON.stringify(parts))
    expect(heads()).toEqual(before)
  })

  test('a column that there is not cannot be shown, nor entered', async () => {
    const corrections = await office.corrections()
    await expect(corrections.call.show('price')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await enter(corrections, { shown: ['price'] })
    expect(field(corrections, 'shown')?.error).toMatch(/price/)
    expect(corrections.view.preview).toBe('')
  })
})
