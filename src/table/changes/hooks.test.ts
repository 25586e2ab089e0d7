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
function openHooks(changed: (told: { entry: Entry }) => void | Promise<void>) {
  const due = new Map<string, { entry: Entry; node: string; until: number; failures: number }>()
  const ended: [id: string, hook: HookState][] = []
  const waiting: { task: () => void; at: number }[] = []
  let time = 0
  const held = (id: string, node: string) => {
    const one = due.get(id)
    return one?.node === node ? one : undefined
  }
  // Hooks read nothing else of a catalog.
  const catalog = {
    definitions: new Map([['orders', { rules: { changed } }]]),
  } as unknown as Catalog
  const start = (node: string) =>
    startHooks({
      node,
      ledger: {
        async claimHook(now, lease) {
          const one = [...due.values()].find(({ until }) => until <= now)
          return one && Object.assign(one, lease)
        },
        holdHook: async (id, lease) => void Object.assign(held(id, lease.node) ?? {}, lease),
        pauseHook: async (id, lease, failures) =>
          void Object.assign(held(id, lease.node) ?? {}, lease, { failures }),
        async endHook(id, node, hook) {
          if (held(id, node)) ended.push([id, hook])
          if (held(id, node)) due.delete(id)
        },
        nextHook: async () =>
          due.size > 0 ? Math.min(...[...due.values()].map(({ until }) => until)) : undefined,
        async *images() {},
      },
      catalog: () => catalog,
      now: () => time,
      later(task, delayMs) {
        const one = { task, at: time + delayMs }
        waiting.push(one)
        return () => void (waiting.includes(one) && waiting.splice(waiting.indexOf(one), 1))
      },
    })
  const hooks = start('first')
  return {
    hooks,
    start,
    ended,
    write(entry: Entry) {
      due.set(entry.id, { entry, node: '', until: 0, failures: 0 })
      hooks.poke()
    },
    /** Goes to the next moment for which something waits; returns how long that was, ms. */
    async next(): Promise<number> {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      const [first] = waiting.toSorted((a, b) => a.at - b.at)
      if (!first) throw new Error('Nothing waits.')
      waiting.splice(waiting.indexOf(first), 1)
      const passed = first.at - time
      time = first.at
      first.task()
      return passed
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
    write(entryOf('a', -24 * HOUR_MS + 5000))
    expect([await next(), await next(), await next()]).toEqual([1000, 2000, 4000])
    await expect.poll(() => ended).toEqual([['a', 'failed']])
  })

  test('is kept by its node for as long as it runs, and told by another one once that is dead', async () => {
    const told: string[] = []
    const { write, start, ended, next } = openHooks(async ({ entry }) => {
      told.push(entry.id)
      // The first node never comes to an end.
      if (told.length === 1) await new Promise(() => {})
    })
    write(entryOf('a'))
    await expect.poll(() => told).toEqual(['a'])
    start('second')
    // The first one holds what it has, and the second one looks for it in vain.
    for (let passed = 0; passed < 10 * 60_000;) passed += await next()
    expect(told).toEqual(['a'])
    expect(ended).toEqual([])
  })

  test('is not begun once it is closed', async () => {
    const told: string[] = []
    const { hooks, write } = openHooks(({ entry }) => void told.push(entry.id))
    await hooks.close()
    write(entryOf('a'))
    expect(told).toEqual([])
  })
})
