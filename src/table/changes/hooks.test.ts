import { describe, expect, test } from 'vitest'
import type { Catalog } from '../catalog.ts'
import type { Entry, HookState } from './ledger.ts'
import { startHooks } from './hooks.ts'

const HOUR_MS = 60 * 60 * 1000

const entryOf = (id: string, at = 0): Entry => ({
  ...{ id, at, by: { id: 'ana', name: 'Ana' }, door: 'form', state: 'done', hook: 'due' },
  ...{ undoneBy: [], lacks: [] },
  tables: [{ table: 'orders', inserted: 0, updated: 1, deleted: 0 }],
})

/** A ledger of entries that are due, and a clock that runs what waits. */
function openHooks(changed: (told: { entry: Entry }) => void) {
  const due = new Map<string, Entry>()
  const ended: [id: string, hook: HookState][] = []
  const waiting: { task: () => void; at: number }[] = []
  let time = 0
  // Hooks read nothing else of a catalog.
  const catalog = {
    definitions: new Map([['orders', { rules: { changed } }]]),
  } as unknown as Catalog
  const hooks = startHooks({
    ledger: {
      dueHooks: async () => [...due.values()],
      setHook: async (id, hook) => {
        due.delete(id)
        ended.push([id, hook])
      },
      async *images() {},
    },
    catalog: () => catalog,
    now: () => time,
    later(task, delayMs) {
      const one = { task, at: time + delayMs }
      waiting.push(one)
      return () => void waiting.splice(waiting.indexOf(one), 1)
    },
  })
  return {
    hooks,
    ended,
    write(entry: Entry) {
      due.set(entry.id, entry)
      hooks.poke()
    },
    /** Goes to the next moment for which something waits; returns how long that was, ms. */
    async next(): Promise<number | undefined> {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      const [first] = waiting.splice(0, 1)
      const before = time
      time = first?.at ?? time
      first?.task()
      return time - before
    },
  }
}

describe('what follows a change', () => {
  test('is told once, and not again', async () => {
    const told: string[] = []
    const { write, ended } = openHooks(({ entry }) => void told.push(entry.id))
    write(entryOf('a'))
    write(entryOf('b'))
    await expect
      .poll(() => ended)
      .toEqual([
        ['a', 'done'],
        ['b', 'done'],
      ])
    expect(told).toEqual(['a', 'b'])
  })

  test('is tried again with growing pauses where it fails, and holds up no other', async () => {
    let failures = 3
    const { write, ended, next } = openHooks(({ entry }) => {
      if (entry.id === 'a' && failures-- > 0) throw new Error('The mail server is away.')
    })
    write(entryOf('a'))
    write(entryOf('b'))
    await expect.poll(() => ended).toEqual([['b', 'done']])
    expect([await next(), await next(), await next()]).toEqual([1000, 2000, 4000])
    await expect
      .poll(() => ended)
      .toEqual([
        ['b', 'done'],
        ['a', 'done'],
      ])
  })

  test('stands as failed after a day', async () => {
    const { write, ended, next } = openHooks(() => {
      throw new Error('The mail server is away.')
    })
    write(entryOf('a'))
    let passed = 0
    while (ended.length === 0) {
      passed += (await next()) ?? 0
      expect(passed).toBeLessThan(26 * HOUR_MS)
      await expect.poll(() => ended.length > 0 || passed < 24 * HOUR_MS).toBe(true)
    }
    expect(ended).toEqual([['a', 'failed']])
    expect(passed).toBeGreaterThanOrEqual(24 * HOUR_MS)
  })

  test('is not begun once it is closed', async () => {
    const told: string[] = []
    const { hooks, write } = openHooks(({ entry }) => void told.push(entry.id))
    await hooks.close()
    write(entryOf('a'))
    expect(told).toEqual([])
  })
})
