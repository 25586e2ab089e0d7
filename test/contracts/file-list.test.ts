/** Several files in one column, on every engine and in every form of a list: added, ordered, taken back and swept. */

import { expect, test } from 'vitest'
import { testComponent } from '../../src/server/component/test-component.ts'
import { memoryFiles, memoryStorage } from '../../src/server/upload/memory-uploads.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { namesOf } from '../../src/table/files/file-cell.ts'
import { keysIn } from '../../src/table/files/key-list.ts'
import { sweepFiles } from '../../src/table/files/sweep-files.ts'
import { runUndo } from '../../src/table/history/undo.ts'
import { createFormComponent } from '../../src/table/record/form/component.ts'
import { admin } from '../table-of.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { openChanges } from './opened-changes.ts'

const TYPES = {
  sqlite: ['text', 'json'],
  postgres: ['text', 'text[]', 'jsonb', 'varchar(120)[]'],
  mysql: ['longtext', 'json', 'varchar(400)'],
} as const

const options = { kind: 'file', storage: 'local', multiple: 3 } as const
const definitions: Definitions = { albums: { columns: { files: options } } }
const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }

async function open(place: MetadataPlace, type: string) {
  await place.run('drop table if exists albums')
  await place.run(`create table albums (id integer primary key, files ${type})`)
  await place.run('insert into albums values (1, null)')
  const { source, ledger, door, catalog } = await openChanges(place, {
    isBeside: true,
    definitions,
  })
  const services = {
    ...{ source, ledger, door, catalog: () => catalog },
    href: (table: string) => `/tables/${table}`,
  }
  const { access, definition } = catalog.open(admin, 'albums')
  const column = definition.columns.get('files')!
  const value = async () =>
    (await source.row(access, [1], { columns: ['files'] }))?.values[0] ?? null
  async function openForm() {
    const tester = await testComponent(createFormComponent({ ...services, isLive: false }), {
      ...{ actor: admin, params: { table: 'albums', key: '1', copyOf: null, preset: {} } },
    })
    const field = tester.view.fields.find(({ name }) => name === 'files')
    const text = field?.text ?? null
    return {
      text,
      stored: field?.control.is === 'file' ? field.control.stored.map(({ path }) => path) : [],
      async add(...names: readonly string[]) {
        const files = names.map((name) => ({ name, bytes: Buffer.from(`words of ${name}`) }))
        await tester.upload('files.files', ...files)
        return (tester.data.files['files'] ?? []).map(({ path }) => path)
      },
      save: (paths: readonly string[], seen = text) =>
        tester.call.save({ files: JSON.stringify(paths) }, { files: seen }, null),
    }
  }
  const files = memoryFiles()
  const storage = memoryStorage()
  return {
    ...{ openForm, files, storage },
    keys: async () => keysIn(column.file!, await value()),
    names: async () => namesOf(column, await value()),
    undo: (id: string) => runUndo({ ...services, historyHref: '/history' }, admin, { id, reader }),
    sweep: () =>
      sweepFiles({
        ...{ files, storage, source, catalog: () => catalog, now: () => 1 },
        holding: (texts) => ledger.holding(texts),
      }),
  }
}

const entryOf = (saved: unknown): string => {
  if (typeof saved !== 'object' || !saved || !('entry' in saved)) throw new Error('Not saved.')
  return String(saved.entry)
}

describeMetadata('several files in a column', (place) => {
  // The types of an engine are known once it is.
  test('are added, ordered, taken out, told apart, and taken back', async () => {
    for (const type of TYPES[place().engine]) {
      const { openForm, names, undo } = await open(place(), type)
      const first = await openForm()
      expect([type, first.text, first.stored]).toEqual([type, null, []])
      const added = await first.add('a.txt', 'größe (1).txt')
      expect(await first.save(added)).toMatchObject({ status: 'saved' })
      expect(await names()).toEqual(['a.txt', 'größe-1.txt'])

      const second = await openForm()
      const [path = ''] = await second.add('c.txt')
      const [a = '', b = ''] = second.stored
      const ordered = await second.save([b, path, a])
      expect([type, ordered]).toMatchObject([type, { status: 'saved' }])
      expect(await names()).toEqual(['größe-1.txt', 'c.txt', 'a.txt'])
      // Who has not seen that is told of it.
      expect(await second.save([a])).toMatchObject({
        conflicts: [{ column: 'files', theirLabel: 'größe-1.txt, c.txt, a.txt' }],
      })

      const third = await openForm()
      const emptied = await third.save([])
      expect(await names()).toEqual([])
      await undo(entryOf(emptied))
      expect(await names()).toEqual(['größe-1.txt', 'c.txt', 'a.txt'])
      await undo(entryOf(ordered))
      expect(await names()).toEqual(['a.txt', 'größe-1.txt'])
    }
  })

  test('stay as long as a row or its history holds them, and others go', async () => {
    for (const type of TYPES[place().engine]) {
      const { openForm, keys, sweep, files, storage } = await open(place(), type)
      const form = await openForm()
      await form.save(await form.add('a.txt', 'b.txt'))
      const held = await keys()
      const other = `kept/zz/${'z'.repeat(22)}-a.txt`
      for (const key of [...held, other]) {
        await storage.put(key, (async function* () {})())
        await files.hold(key, { table: 'albums', column: 'files' }, 0)
      }
      const [, b = ''] = held
      await (await openForm()).save([b])
      await sweep()
      const sizes = await Promise.all([...held, other].map((key) => storage.size(key)))
      expect([type, ...sizes]).toEqual([type, 0, 0, undefined])
    }
  })
})
