import { expect, onTestFinished, test, vi } from 'vitest'
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
