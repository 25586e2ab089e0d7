import { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { LEDGER_MIGRATIONS } from '../../src/database/ledger/migrations.ts'
import { serverRecorder } from '../../src/database/ledger/server-recorder.ts'
import { SqlLedger } from '../../src/database/ledger/sql-ledger.ts'
import type { LedgerTables } from '../../src/database/ledger/tables.ts'
import { openStore } from '../../src/database/metadata/store.ts'
import type { Catalog } from '../../src/table/catalog.ts'
import { startHooks } from '../../src/table/changes/hooks.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'

/** A node on the ledger of a place: what it is told, and its own clock. */
async function openNode({ address }: MetadataPlace, node: string) {
  const store = await openStore<LedgerTables>(address, LEDGER_MIGRATIONS)
  const ledger = new SqlLedger(store, { now: () => 0, newId: () => '', keptMs: 1 })
  onTestFinished(() => ledger.close())
  const told: string[] = []
  const changed = ({ entry }: { entry: { id: string } }) => void told.push(entry.id)
  // Hooks read nothing else of a catalog.
  const catalog = {
    definitions: new Map([['crates', { rules: { changed } }]]),
  } as unknown as Catalog
  const recorder = serverRecorder(store, true)
  const tables = [{ table: 'crates', inserted: 0, updated: 1, deleted: 0 }]
  return {
    ledger,
    told,
    /** Keeps an entry, as if it had been written with the data. */
    keep: (id: string) =>
      recorder.record(
        {
          ...{ images: [], values: [], recorded: { tables, lacks: [] } },
          record: { id, at: 0, by: { id: 'ana', name: 'Ana' }, door: 'form', isTold: true },
        },
        async ({ text, binds }) => {
          const { numAffectedRows = 0n } = await store.db.executeQuery(
            CompiledQuery.raw(text, [...binds]),
          )
          return Number(numAffectedRows)
        },
      ),
    /** Tells what is due at a time, until nothing is. */
    async tellAt(time: number) {
      const hooks = startHooks({
        ...{ ledger: ledger.hooks, node, catalog: () => catalog, now: () => time },
        later: () => () => {},
      })
      await expect
        .poll(() => ledger.hooks.nextHook().then((at) => (at ?? Infinity) > time))
        .toBe(true)
      await hooks.close()
    },
  }
}

describeMetadata('what follows a change', (place) => {
  test('is told by one of the nodes that share the history', async () => {
    const nodes = [await openNode(place(), 'first'), await openNode(place(), 'second')] as const
    const ids = Array.from({ length: 20 }, (_, at) => `entry-${at}`)
    for (const id of ids) await nodes[0].keep(id)
    await Promise.all(nodes.map((node) => node.tellAt(1)))
    expect(nodes.flatMap(({ told }) => told).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) expect(await nodes[1].ledger.find(id)).toMatchObject({ hook: 'done' })
  })

  test('is told by another node once the one that took it is dead', async () => {
    const [dead, alive] = [await openNode(place(), 'dead'), await openNode(place(), 'alive')]
    await dead.keep('left')
    expect(await dead.ledger.hooks.claimHook(1, { node: 'dead', until: 1000 })).toMatchObject({
      entry: { id: 'left' },
      failures: 0,
    })
    await alive.tellAt(999)
    expect(alive.told).toEqual([])
    await alive.tellAt(1000)
    expect(alive.told).toEqual(['left'])
    // What the other one says of it later counts no more.
    await dead.ledger.hooks.endHook('left', 'dead', 'failed')
    expect(await dead.ledger.find('left')).toMatchObject({ hook: 'done' })
  })

  test('waits with its node, and remembers how often it has failed', async () => {
    const { ledger, keep } = await openNode(place(), 'first')
    await keep('failing')
    await ledger.hooks.claimHook(1, { node: 'first', until: 100 })
    await ledger.hooks.pauseHook('failing', { node: 'first', until: 50 }, 3)
    expect(await ledger.hooks.nextHook()).toBe(50)
    const again = { node: 'second', until: 200 }
    expect(await ledger.hooks.claimHook(49, again)).toBeUndefined()
    expect(await ledger.hooks.claimHook(50, again)).toMatchObject({ failures: 3 })
    await ledger.hooks.holdHook('failing', { node: 'second', until: 300 })
    expect(await ledger.hooks.nextHook()).toBe(300)
    await ledger.hooks.endHook('failing', 'second', 'failed')
    expect(await ledger.hooks.nextHook()).toBeUndefined()
  })
})
