import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { rolePolicy } from '../admin/accounts/roles.ts'
import { columnOf, tableOf } from '../../test/table-of.ts'
import { createLiveCatalog } from './live-catalog.ts'
import type { RowSource } from './source/row-source.ts'
import type { Schema } from './source/schema.ts'

const actor = { id: 'ana', name: 'Ana', email: '', role: 'admin' } as const

const schemaOf = (...columns: string[]): Schema => ({
  name: 'shop',
  engine: 'SQLite 3',
  tables: [
    tableOf([columnOf('id', { type: 'integer' }), ...columns.map((name) => columnOf(name))]),
  ],
})

async function open(definitions = {}) {
  let schema = schemaOf('note')
  let time = 0
  const source = {
    describe: vi.fn(async () => schema),
  } as unknown as RowSource
  const report = vi.fn()
  const live = await createLiveCatalog(source, rolePolicy, { definitions, now: () => time, report })
  const columns = () =>
    live
      .current()
      .readable({ ...actor })[0]
      ?.table.columns.map(({ name }) => name)
  return {
    live,
    source,
    report,
    columns,
    later(change?: Schema) {
      if (change) schema = change
      time += 1000
      return live.refresh()
    },
  }
}

test('a column that came is there at the next look', async () => {
  const { columns, later, live } = await open()
  await live.refresh()
  expect(columns()).toEqual(['id', 'note'])
  await later(schemaOf('note', 'added'))
  expect(columns()).toEqual(['id', 'note', 'added'])
})

test('looks are taken now and then, and nothing is made anew where nothing has changed', async () => {
  const { live, source, later } = await open()
  const before = live.current()
  await later()
  await live.refresh()
  await live.refresh()
  expect(source.describe).toHaveBeenCalledTimes(2)
  expect(live.current()).toBe(before)
})

test('a database that does not answer leaves what was known', async () => {
  const { columns, later, source } = await open()
  vi.mocked(source.describe).mockRejectedValue(new Error('gone'))
  await later()
  expect(columns()).toEqual(['id', 'note'])
})

test('a request waits while tables that have changed are read', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { columns, later, source } = await open()
  const read = Promise.withResolvers<Schema>()
  vi.mocked(source.describe).mockReturnValue(read.promise)
  const asked = later()
  await vi.advanceTimersByTimeAsync(1000)
  vi.mocked(source.describe).mockResolvedValue(schemaOf('renamed'))
  read.resolve(schemaOf('renamed'))
  await asked
  expect(columns()).toEqual(['id', 'renamed'])
})

test('a request waits a moment at most', async () => {
  const { columns, later, source } = await open()
  vi.mocked(source.describe).mockReturnValue(new Promise(() => undefined))
  await later()
  expect(columns()).toEqual(['id', 'note'])
})

test('what is declared and no longer fits is told once, and goes on hiding what it hides', async () => {
  const table = schemaOf('note').tables[0]!.name
  const { columns, later, report, live } = await open({
    [table]: { columns: { note: { hidden: true } } },
  })
  const hidden = () =>
    live
      .current()
      .open({ ...actor }, table)
      .access.canRead('note')
  const changed = schemaOf('renamed')
  await later(changed)
  await later(changed)
  expect(report).toHaveBeenCalledTimes(1)
  expect(columns()).toEqual(['id', 'note'])
  expect(hidden()).toBe(false)
})

describe('corrections', () => {
  const table = schemaOf('note').tables[0]!.name
  const labelled = (version: string, label: string) => ({
    ...{ version, corrections: [{ table, column: null, part: 'label', value: label }] },
  })
  const labelIn = ({ live }: Awaited<ReturnType<typeof open>>) =>
    live.current().definitions.get(table)?.label

  test('are in the next catalog, and what was there before is known', async () => {
    const opened = await open()
    const { live } = opened
    const before = live.current()
    await live.correct(labelled('1', 'Notes'))
    expect(labelIn(opened)).toBe('Notes')
    expect(live.current().version).toBe(before.version + 1)
    expect(live.current().corrected.before(actor, table)?.label).toBe(
      before.definitions.get(table)?.label,
    )
    await live.correct({ version: '2', corrections: [] })
    expect(labelIn(opened)).toBe(before.definitions.get(table)?.label)
  })

  test('stay when tables change, and one that names a lost column is told', async () => {
    const opened = await open()
    const { live, later } = opened
    const ofNote = { table, column: 'note', part: 'label', value: 'Remark' }
    await live.correct({
      version: '1',
      corrections: [ofNote, ...labelled('1', 'Notes').corrections],
    })
    await later(schemaOf('renamed'))
    expect(labelIn(opened)).toBe('Notes')
    expect(live.current().corrected.ignored).toEqual([
      { correction: ofNote, fault: { why: 'gone', name: 'note' } },
    ])
    await later(schemaOf('note'))
    expect(live.current().corrected.ignored).toEqual([])
  })

  test('the newest hold, whichever catalog is made first', async () => {
    const opened = await open()
    const { live, source } = opened
    const slow = Promise.withResolvers<Schema>()
    vi.mocked(source.describe).mockReturnValueOnce(slow.promise)
    const first = live.correct(labelled('1', 'First'))
    await live.correct(labelled('2', 'Second'))
    slow.resolve(schemaOf('note'))
    await first
    expect(labelIn(opened)).toBe('Second')
  })
})

describe('a preview', () => {
  const shop: Schema = {
    ...{ name: 'shop', engine: 'SQLite 3' },
    tables: [
      tableOf([columnOf('id', { type: 'integer' }), columnOf('name'), columnOf('code')], {
        name: 'people',
      }),
      tableOf([columnOf('id', { type: 'integer' }), columnOf('boss_id', { type: 'integer' })], {
        name: 'orders',
        foreignKeys: [{ columns: ['boss_id'], table: 'people', references: ['id'] }],
      }),
      tableOf([columnOf('id', { type: 'integer' }), columnOf('note')], { name: 'notes' }),
    ],
  }
  const parts = [
    { column: null, part: 'labelColumn', value: ['code'] },
    { column: 'name', part: 'label', value: 'Called' },
  ]

  test('defines all tables as if it were saved, and makes only those anew that it concerns', async () => {
    const { live, later } = await open()
    await later(shop)
    const [before, preview] = [live.current(), await live.preview('people', parts)]
    expect(await live.preview('people', parts)).toBe(preview)
    expect(live.current()).toBe(before)
    const corrections = parts.map((part) => ({ ...part, table: 'people' }))
    await live.correct({ version: '1', corrections })
    expect(preview.definitions).toEqual(live.current().definitions)
    const isKept = (table: string) =>
      preview.definitions.get(table) === before.definitions.get(table)
    expect(['people', 'orders', 'notes'].map(isKept)).toEqual([false, false, true])
  })

  test('follows what is saved meanwhile, and takes back what is saved', async () => {
    const { live, later } = await open()
    await later(shop)
    const ofNotes = { table: 'notes', column: null, part: 'label', value: 'Remarks' }
    const ofPeople = { table: 'people', column: null, part: 'label', value: 'Staff' }
    await live.correct({ version: '1', corrections: [ofNotes, ofPeople] })
    const { definitions } = await live.preview('people', [{ column: null, part: 'label' }])
    expect(definitions.get('people')?.label).toBe('People')
    expect(definitions.get('notes')?.label).toBe('Remarks')
  })
})
