import { expect, test } from 'vitest'
import type { RowImage } from '../source/ledger-entry.ts'
import type { Entry, EntryQuery, Ledger } from './ledger.ts'
import { createRowLives } from './row-lives.ts'

const image = (key: number, kind: 'add' | 'change' | 'delete'): RowImage => ({
  ...{ table: 'orders', key: [key] },
  before: kind === 'add' ? null : { note: 'a' },
  after: kind === 'delete' ? null : { note: 'b' },
})

type Written = { readonly id: string; readonly images: readonly RowImage[] }

/** A ledger of entries, the oldest first, which counts what it is asked. */
function ledgerOf(written: readonly Written[]) {
  const asked = { lists: 0, images: 0, keys: 0 }
  const entries = written.map(({ id, images }, at): Entry => {
    const count = (is: (one: RowImage) => boolean) => images.filter(is).length
    const tables = [
      {
        table: 'orders',
        inserted: count(({ before }) => before === null),
        deleted: count(({ after }) => after === null),
        updated: count(({ before, after }) => before !== null && after !== null),
      },
    ]
    return {
      ...{ id, at, by: { id: 'ana', name: 'Ana' }, door: 'form', tables, lacks: [] },
      ...{ state: 'done', hook: 'none', undoneBy: [] },
    }
  })
  const ledger: Pick<Ledger, 'list' | 'images'> = {
    async list({ keys = [], after, size }: EntryQuery) {
      asked.lists++
      asked.keys = Math.max(asked.keys, keys.length)
      const names = new Set(keys.map(([key]) => key))
      return entries
        .toReversed()
        .filter(({ at }) => !after || at < after.at)
        .filter(({ at }) => written[at]?.images.some(({ key }) => names.has(key[0] ?? null)))
        .slice(0, size)
    },
    async *images(id) {
      asked.images++
      yield written.find((one) => one.id === id)?.images ?? []
    },
  }
  return { entries, ledger, asked }
}

test('an entry is about the row that has its key now, unless that came later', async () => {
  const written: Written[] = [
    { id: 'a', images: [image(1, 'add'), image(2, 'change')] },
    { id: 'b', images: [image(1, 'delete')] },
    { id: 'c', images: [image(1, 'add'), image(3, 'change')] },
    { id: 'd', images: [image(1, 'change'), image(2, 'change')] },
    { id: 'e', images: [image(3, 'delete')] },
  ]
  const { entries, ledger } = ledgerOf(written)
  const lives = createRowLives(ledger)
  const present = await Promise.all(
    entries.map(async (entry, at) => {
      const images = written[at]?.images ?? []
      const found = await lives.ofPresentRows(entry, 'orders', images)
      return images.filter((one) => found.has(one)).map(({ key }) => key[0])
    }),
  )
  // What has the key 3 now was written past Tablewire.
  expect(present).toEqual([[2], [], [1], [1, 2], []])
})

test('each key is looked up once, many at a time', async () => {
  const many = Array.from({ length: 1200 }, (_, key) => image(key, 'change'))
  const { entries, ledger, asked } = ledgerOf([
    { id: 'a', images: many },
    { id: 'b', images: many },
  ])
  const lives = createRowLives(ledger)
  for (const entry of entries)
    expect((await lives.ofPresentRows(entry, 'orders', many)).size).toBe(1200)
  // No entry has added or deleted any, so that no image was read.
  expect(asked).toEqual({ lists: 3, images: 0, keys: 500 })
})

test('what is too old to be looked through counts as that of another row', async () => {
  const written = Array.from({ length: 600 }, (_, at) => ({
    id: String(at).padStart(3, '0'),
    images: [image(1, 'change')],
  }))
  const { entries, ledger } = ledgerOf(written)
  const lives = createRowLives(ledger)
  const sizeOf = async (at: number) =>
    (await lives.ofPresentRows(entries[at]!, 'orders', written[at]?.images ?? [])).size
  expect([await sizeOf(599), await sizeOf(100), await sizeOf(99)]).toEqual([1, 1, 0])
})
