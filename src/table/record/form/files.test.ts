/** Files in forms: what a person uploads for a field is saved in it, and nothing else is. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import type { FieldTexts } from '../../../protocol/form-view.ts'
import { AppError } from '../../../server/app-error.ts'
import { readKey } from '../../../server/upload/kept-key.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { type Catalog, createCatalog } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import type { Grant, Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import { createCellsComponent } from './cells.ts'
import { createFormComponent, type FormParams } from './component.ts'

const definitions: Definitions = {
  strikes: {
    columns: {
      photo: { kind: 'image', storage: 'local' },
      report: { kind: 'file', storage: 'local', types: ['application/pdf'], maxBytes: 100 },
      photos: { kind: 'image', storage: 'local', multiple: 3 },
    },
  },
}
const OLD = `kept/ab/${'x'.repeat(22)}-engine.png`
const LISTED = ['wing', 'nose'].map((name) => `kept/ab/${name.padEnd(22, '_')}-${name}.png`)
const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex')
const photo = { name: 'Größe (2).png', bytes: PNG }
const note = { name: 'note.txt', bytes: Buffer.from('hello') }

let data: OpenDataFile
let catalog: Catalog

beforeEach(async () => {
  data = await openDataFile(`create table strikes (id integer primary key, place text not null,
      photo text, report text, parent_id integer references strikes(id), photos text);
    insert into strikes values (1, 'Graz', '${OLD}', null, null, null), (2, 'Linz', null, null, 1, null),
      (3, 'Wels', 'https://example.org/a.png', null, null, '${JSON.stringify(LISTED)}')`)
  catalog = await createCatalog(data.source, policyOf({}), { definitions })
})
afterEach(() => data.close())

const policyOf = (over: Partial<Grant>): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    return { actions, rows: everything, readable: names, writable: names, ...over }
  },
})

const services = () => ({
  ...{ source: data.source, catalog: () => catalog, door: doorTo(data.source, () => catalog) },
  href: (table: string) => `/tables/${table}`,
})

async function openForm(asked: Partial<FormParams>) {
  const params = { table: 'strikes', key: null, copyOf: null, preset: {}, ...asked }
  const form = createFormComponent({ ...services(), isLive: false })
  const tester = await testComponent(form, { actor: admin, params })
  const field = (name: string) => tester.view.fields.find((one) => one.name === name)
  const seen = () => Object.fromEntries(tester.view.fields.map(({ name, text }) => [name, text]))
  return {
    ...{ tester, field },
    save: (changed: FieldTexts) => tester.call.save(changed, seen(), null),
    pathOf: (column: string) => tester.data.files[column]?.at(-1)?.path ?? '',
  }
}

/** The names in the list of a row. */
function listed(id: number): unknown {
  const { photos } = data.row(`select photos from strikes where id = ${id}`) ?? {}
  if (typeof photos !== 'string') return photos
  const keys: unknown = JSON.parse(photos)
  return Array.isArray(keys) && keys.map((key) => readKey(String(key))?.name)
}

async function stored(id: number) {
  const { access } = catalog.open(admin, 'strikes')
  const row = await data.source.row(access, [id], { columns: ['photo', 'report'] })
  return row?.values
}

describe('the field of a file', () => {
  test('says what it takes, and what is stored', async () => {
    const { field } = await openForm({ key: '1' })
    expect(field('photo')?.control).toMatchObject({
      is: 'file',
      accept: [
        ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
        ...['.jpg', '.jpeg', '.png', '.gif', '.webp', '.avif'],
      ],
      maxBytes: 12 * 1024 * 1024,
      stored: [
        {
          ...{ path: OLD, name: 'engine.png', type: 'image/png' },
          href: '/tables/strikes/records/1/files/photo',
          picture: '/tables/strikes/records/1/files/photo?size=small',
        },
      ],
    })
    expect(field('report')?.control).toEqual({
      ...{ is: 'file', accept: ['application/pdf', '.pdf'], maxBytes: 100, stored: [] },
    })
  })

  test('leads to an address that is stored, and loads nothing from there', async () => {
    const { field } = await openForm({ key: '3' })
    expect(field('photo')?.control).toMatchObject({
      stored: [
        {
          ...{ path: 'https://example.org/a.png', name: 'https://example.org/a.png', type: '' },
          href: 'https://example.org/a.png',
        },
      ],
    })
  })

  test('holds no file where the column holds an empty text', async () => {
    data.run(`update strikes set photo = '' where id = 2`)
    const { field } = await openForm({ key: '2' })
    expect(field('photo')).toMatchObject({ text: '', control: { stored: [] } })
  })

  test('is not asked in a cell, and no copy and no preset has a file', async () => {
    const cells = await testComponent(createCellsComponent(services()), {
      actor: admin,
      params: { table: 'strikes' },
    })
    expect(await cells.call.cell('1', 'photo')).toEqual({
      is: 'fixed',
      why: 'Files are changed in the form of the row.',
    })
    const { field } = await openForm({ copyOf: '1', preset: { report: OLD } })
    expect([field('place')?.text, field('photo')?.text, field('report')?.text]).toEqual([
      'Graz',
      null,
      null,
    ])
  })
})

describe('saving', () => {
  test('keeps what was uploaded, under a key that tells its name', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    expect(await save({ photo: pathOf('photo') })).toMatchObject({ status: 'saved' })
    expect(await stored(2)).toEqual([
      expect.stringMatching(/^kept\/[\w-]{2}\/[\w-]{22}-Größe-2\.png$/),
      null,
    ])
  })

  test('creates a row with a file, and takes one away', async () => {
    const { tester, save, pathOf } = await openForm({})
    await tester.upload('files.photo', photo)
    expect(await save({ place: 'Enns', photo: pathOf('photo') })).toMatchObject({ status: 'saved' })
    expect(await stored(4)).toEqual([expect.stringContaining('kept/'), null])
    const other = await openForm({ key: '1' })
    expect(await other.save({ photo: null })).toMatchObject({ status: 'saved' })
    expect(await stored(1)).toEqual([null, null])
  })

  test('leaves the file in the form where another field is refused, and takes it the next time', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    const path = pathOf('photo')
    expect(await save({ parent_id: 'x', photo: path })).toMatchObject({
      status: 'refused',
      errors: { parent_id: expect.anything() },
    })
    expect(pathOf('photo')).toBe(path)
    expect(await stored(2)).toEqual([null, null])
    expect(await save({ parent_id: '3', photo: path })).toMatchObject({ status: 'saved' })
    expect(await stored(2)).toEqual([expect.stringContaining('kept/'), null])
  })

  test('tells a conflict by the names of files', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    data.run(`update strikes set photo = '${OLD}' where id = 2`)
    expect(await save({ photo: pathOf('photo') })).toMatchObject({
      conflicts: [{ column: 'photo', theirLabel: 'engine.png' }],
    })
  })
})

describe('a list of files', () => {
  const jsonOf = (...paths: readonly string[]) => JSON.stringify(paths)

  test('says how many it takes, and what is stored', async () => {
    const { field } = await openForm({ key: '3' })
    const href = '/tables/strikes/records/3/files/photos/nose__________________'
    expect(field('photos')).toMatchObject({
      text: jsonOf(...LISTED),
      control: {
        ...{ isList: true, maxFiles: 3 },
        stored: [
          { name: 'wing.png' },
          { path: LISTED[1], name: 'nose.png', href, picture: `${href}?size=small` },
        ],
      },
    })
  })

  test('takes further ones, in the order of the person, and gives some away', async () => {
    const [wing = '', nose = ''] = LISTED
    const { tester, save, pathOf } = await openForm({ key: '3' })
    await tester.upload('files.photos', photo)
    expect(await save({ photos: jsonOf(nose, pathOf('photos'), wing) })).toMatchObject({
      status: 'saved',
    })
    expect(listed(3)).toEqual(['nose.png', 'Größe-2.png', 'wing.png'])
    // What was saved is no upload any more, so that there is room for others.
    expect(tester.data.files).toEqual({})
    const other = await openForm({ key: '3' })
    await other.save({ photos: jsonOf(wing) })
    expect(listed(3)).toEqual(['wing.png'])
    const last = await openForm({ key: '3' })
    await last.save({ photos: jsonOf() })
    expect(listed(3)).toBeNull()
  })

  test('begins with a row, and from a single file that the column held', async () => {
    const { tester, save, pathOf } = await openForm({})
    await tester.upload('files.photos', photo, { ...photo, name: 'b.png' })
    const paths = tester.data.files['photos']?.map(({ path }) => path) ?? []
    expect(pathOf('photos')).toBe(paths[1])
    await save({ place: 'Enns', photos: jsonOf(...paths.toReversed()) })
    expect(listed(4)).toEqual(['b.png', 'Größe-2.png'])
    data.run(`update strikes set photos = '${OLD}' where id = 1`)
    const single = await openForm({ key: '1' })
    await single.tester.upload('files.photos', photo)
    await single.save({ photos: jsonOf(OLD, single.pathOf('photos')) })
    expect(listed(1)).toEqual(['engine.png', 'Größe-2.png'])
  })

  test('takes no file of another row, none that was taken out meanwhile, and none twice', async () => {
    const { save } = await openForm({ key: '2' })
    expect(await save({ photos: jsonOf(OLD) })).toMatchObject({
      errors: {
        photos: ['engine.png has been taken out of this row. Remove it here, or choose it again.'],
      },
    })
    for (const path of ['nobody', 'https://example.org/a.png', '../../secret', ''])
      expect(await save({ photos: jsonOf(path) })).toMatchObject({
        errors: { photos: ['The file is no longer there. Choose it again.'] },
      })
    expect(listed(2)).toBeNull()
    const again = await openForm({ key: '3' })
    await again.save({ photos: jsonOf(LISTED[1]!, LISTED[1]!) })
    expect(listed(3)).toEqual(['nose.png'])
  })

  test('takes no more than it may hold, by all doors', async () => {
    const { tester, save } = await openForm({ key: '3' })
    const files = ['a', 'b', 'c'].map((name) => ({ ...photo, name: `${name}.png` }))
    await tester.upload('files.photos', ...files)
    const paths = tester.data.files['photos']?.map(({ path }) => path) ?? []
    await expect(tester.upload('files.photos', photo)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(await save({ photos: jsonOf(...LISTED, ...paths) })).toMatchObject({
      errors: { photos: ['Max files: 3'] },
    })
    expect(await save({ photos: jsonOf(LISTED[0]!, ...paths.slice(1)) })).toMatchObject({
      status: 'saved',
    })
  })

  test.each(['{}', '"a"', '[1]', '[["a"]]', 'a', '['])('is no text such as %s', async (text) => {
    const { save } = await openForm({ key: '3' })
    await expect(save({ photos: text })).rejects.toBeInstanceOf(AppError)
    expect(listed(3)).toEqual(['wing.png', 'nose.png'])
  })

  test('tells a conflict by the names of all files', async () => {
    const [one, other] = [await openForm({ key: '3' }), await openForm({ key: '3' })]
    data.run(`update strikes set photos = '${jsonOf(LISTED[1]!, OLD)}' where id = 3`)
    const conflicts = [{ column: 'photos', theirLabel: 'nose.png, engine.png' }]
    expect(await one.save({ photos: jsonOf() })).toMatchObject({ conflicts, errors: {} })
    // The other one has taken out what this person keeps.
    expect(await other.save({ photos: jsonOf(LISTED[0]!) })).toMatchObject({
      ...{
        conflicts,
        errors: { photos: [expect.stringContaining('wing.png has been taken out')] },
      },
    })
  })
})

describe('an upload is used up by the row that is saved with it', () => {
  test('so that another row does not take it, and the same row may be saved again', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    const path = pathOf('photo')
    expect(await save({ photo: path })).toMatchObject({ status: 'saved' })
    const [key] = (await stored(2)) ?? []
    // The answer was lost, and the person saves once more.
    const again = await tester.call.save({ photo: path }, { photo: String(key) }, null)
    expect(again).toMatchObject({ status: 'saved' })
    data.run('update strikes set photo = null where id = 2')
    expect(await save({ photo: path })).toMatchObject({
      errors: { photo: ['Größe (2).png has been saved in another row already. Choose it again.'] },
    })
    expect(await stored(2)).toEqual([null, null])
  })

  test('but not by one that is refused', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    const path = pathOf('photo')
    expect(await save({ place: null, photo: path })).toMatchObject({ status: 'refused' })
    expect(await save({ photo: path })).toMatchObject({ status: 'saved' })
  })
})

describe('is refused', () => {
  test.each(['nobody', OLD, '../../secret', 'https://example.org/a.png', ''])(
    'the path %j',
    async (path) => {
      const { save } = await openForm({ key: '2' })
      expect(await save({ photo: path })).toMatchObject({
        status: 'refused',
        errors: { photo: ['The file is no longer there. Choose it again.'] },
      })
      expect(await stored(2)).toEqual([null, null])
    },
  )

  test('another person’s upload, and one for another field', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    const path = pathOf('photo')
    expect(await save({ report: path })).toMatchObject({ errors: { report: expect.anything() } })
    await tester.actingAs({ ...admin, id: 'other' })
    expect(await save({ photo: path })).toMatchObject({ errors: { photo: expect.anything() } })
    expect(await stored(2)).toEqual([null, null])
  })

  test('what the rules no longer take', async () => {
    const { tester, save, pathOf } = await openForm({ key: '2' })
    await tester.upload('files.photo', photo)
    catalog = await createCatalog(data.source, policyOf({}), {
      definitions: {
        strikes: { columns: { photo: { kind: 'image', storage: 'local', types: ['image/gif'] } } },
      },
    })
    expect(await save({ photo: pathOf('photo') })).toMatchObject({
      errors: { photo: [expect.stringContaining('is of a type that is not taken here')] },
    })
  })

  test('an upload of another type or size, or for a column that takes none', async () => {
    const { tester } = await openForm({ key: '2' })
    await expect(tester.upload('files.photo', note)).rejects.toMatchObject({ code: 'REFUSED' })
    const empty = await tester
      .upload('files.photo', { name: 'a.png', bytes: Buffer.alloc(0) })
      .catch((error: unknown) => error instanceof AppError && error.detail)
    expect(empty).toBe('“a.png” is empty.')
    await expect(
      tester.upload('files.report', { name: 'a.pdf', bytes: Buffer.alloc(101) }),
    ).rejects.toMatchObject({ code: 'REFUSED' })
    for (const property of ['files.place', 'files.', 'files', 'place', 'files.photo.x'])
      await expect(tester.upload(property, photo)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an upload for a column that the person may not write, and a file in it', async () => {
    catalog = await createCatalog(data.source, policyOf({ writable: ['place'] }), { definitions })
    const { tester, save, field } = await openForm({ key: '1' })
    expect(field('photo')).toBeUndefined()
    expect(tester.view.fixed).toContainEqual({
      ...{ name: 'photo', label: 'Photo', text: 'engine.png', why: 'You may not change this.' },
    })
    await expect(tester.upload('files.photo', photo)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(save({ photo: null })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a file in a cell, in a row that is created beside, and in a line', async () => {
    const cells = await testComponent(createCellsComponent(services()), {
      actor: admin,
      params: { table: 'strikes' },
    })
    for (const text of [OLD, null])
      await expect(cells.call.save('2', { photo: text }, { photo: null })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    const { tester } = await openForm({ key: '2' })
    await expect(
      tester.call.createRelated('parent_id', { place: 'Steyr', photo: OLD }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await tester.ask('newRelated', 'parent_id', 'x')) as object).toMatchObject({
      fields: [{ name: 'place' }, { name: 'parent_id' }],
    })
  })
})
