/** A job whose database drops all connections, again and again, while it writes. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/cli/open-database.ts'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { openLedger, stepSettler } from '../../src/database/ledger/open-ledger.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import { later } from '../../src/server/timer.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { createChangeDoor } from '../../src/table/changes/door.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import { everything } from '../../src/table/source/predicate.ts'
import { anything } from '../kills/jars.ts'
import { admin } from '../table-of.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'

const ROWS = 12
/** How much faster its clock goes: pauses and leases are short. */
const FASTER = 50

/** Ends all other sessions of the database. */
async function dropConnections({ engine, run }: MetadataPlace): Promise<void> {
  if (engine === 'postgres') {
    await run(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    return
  }
  const found = await run(`select id from information_schema.processlist
    where db = database() and id <> connection_id()`)
  // One may have ended meanwhile.
  for (const [id] of found) await run(`kill ${Number(id)}`).catch(() => undefined)
}

async function openNode(place: MetadataPlace, isBeside: boolean) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tablewire-job-faults-'))
  const begun = Date.now()
  const now = () => begun + (Date.now() - begun) * FASTER
  const newId = () => entryId(now(), randomBytes(10))
  const source = await openDatabase(place.address)
  const metadata = isBeside ? place.address : join(dataFolder, 'meta.sqlite')
  const options = { source, dataFolder, now, newId, isBeside, keptDays: 90, metadata }
  const ledger = (await openLedger(options))!
  const catalog = await createCatalog(source, anything, {})
  const door = createChangeDoor({ source, catalog: () => catalog, ledger, now, newId })
  await source.writing?.allow(true)
  const settle = stepSettler(ledger, options)
  const engine = new LeaseRunner({
    ...{ store: await openJobStore(metadata, { isBeside }), node: 'a', now, newId },
    ...{ leaseMs: 60_000 },
    later: (task, ms) => later(task, ms / FASTER),
    settle: ({ id }, number) => settle(id, number),
  })
  onTestFinished(async () => {
    await engine.close()
    await Promise.all([ledger.close(), source.close()])
    rmSync(dataFolder, { recursive: true })
  })
  return { engine, door, ledger }
}

describeMetadata(
  'a job',
  (place) => {
    test.each([
      ['apart', false],
      ['beside the data', true],
    ])(
      'writes each row once while connections are dropped, with the records %s',
      async (_, isBeside) => {
        await place().run('drop table if exists crates')
        await place().run('create table crates (id integer primary key, n integer)')
        const values = Array.from({ length: ROWS }, (_, id) => `(${id}, 0)`)
        await place().run(`insert into crates values ${values.join()}`)
        const { engine, door, ledger } = await openNode(place(), isBeside)
        const dropped: Promise<void>[] = []
        engine.handle('count', async (run) => {
          for (let at = run.progress.done; at < ROWS; at++)
            await run.write(
              { checkpoint: null, progress: { done: at + 1, total: ROWS } },
              (step) => {
                // Somewhere within the write, and not at its end alone.
                if (at % 3 === 1 && dropped.length <= at / 3) dropped.push(dropConnections(place()))
                return door.save(admin, {
                  ...{ door: 'bulk', step },
                  tables: [
                    {
                      table: 'crates',
                      sets: [{ in: [[at]], where: everything, set: { n: { add: 1 } } }],
                    },
                  ],
                })
              },
            )
          return null
        })
        const { id } = await engine.enqueue({
          ...{ kind: 'count', by: admin, tables: [], input: null, key: String(isBeside) },
        })
        const ended = await vi.waitUntil(
          async () => {
            // The records' connections were dropped, too.
            const job = await engine.find(id).catch(() => undefined)
            return job?.endedAt ? job : false
          },
          { timeout: 30_000 },
        )
        await Promise.all(dropped)
        expect(ended).toMatchObject({ state: 'done', progress: { done: ROWS } })
        expect(dropped.length).toBeGreaterThan(2)
        const counts = await place().run('select n from crates')
        expect(counts.map(([n]) => Number(n))).toEqual(Array.from({ length: ROWS }, () => 1))
        const [entry, ...others] = await ledger.list({ size: 10 })
        expect([entry?.id, entry?.state, others]).toEqual([id, 'done', []])
        expect(entry?.tables).toEqual([{ table: 'crates', inserted: 0, updated: ROWS, deleted: 0 }])
      },
    )
  },
  ['postgres', 'mysql'],
)
