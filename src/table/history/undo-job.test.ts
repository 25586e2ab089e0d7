/** A change to many rows that is taken back as a job, where the database refuses some of them. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { anything } from '../../../test/kills/jars.ts'
import { admin } from '../../../test/table-of.ts'
import { openLedger } from '../../database/ledger/open-ledger.ts'
import type { SqlLedger } from '../../database/ledger/sql-ledger.ts'
import { actorSource } from '../actor-source.ts'
import { createCatalog } from '../catalog.ts'
import { createChangeDoor } from '../changes/door.ts'
import { entryId } from '../changes/entry-id.ts'
import { everything } from '../source/predicate.ts'
import type { JobStep } from '../source/job-engine.ts'
import { createUndoJob, undoJobInput } from './undo-job.ts'

const ROWS = 1200

let data: OpenDataFile
let ledger: SqlLedger
let ids = 0
const newId = () => entryId(0, new Uint8Array(10).fill(++ids % 256))

beforeEach(async () => {
  data = await openDataFile(`create table orders (id integer primary key, state text);
    create table closed (id integer);
    create trigger stays before update on orders when old.id in (select id from closed) begin
      select raise(abort, 'It is closed.'); end;
    with recursive n(n) as (select 1 union all select n + 1 from n where n < ${ROWS})
      insert into orders select n, 'new' from n`)
  const { source, folder } = data
  await source.writing?.allow(true)
  const opened = await openLedger({
    ...{ source, metadata: `${folder}/own.sqlite`, isBeside: false, dataFolder: folder },
    ...{ now: () => 0, newId, keptDays: 90 },
  })
  ledger = opened!
})
afterEach(async () => {
  await data.source.close()
  await ledger.close()
  data.remove()
})

test('rows that the database does not take back stay alone, and the others of their step come back', async () => {
  const { source } = data
  const catalog = await createCatalog(source, anything)
  const services = { source, catalog: () => catalog }
  const door = createChangeDoor({ ...services, ledger, now: () => 0, newId })
  const keys = Array.from({ length: ROWS }, (_, at) => [at + 1])
  const sets = [{ in: keys, where: everything, set: { state: 'sent' } }]
  const changed = await door.save(admin, { door: 'bulk', tables: [{ table: 'orders', sets }] })
  const entry = (changed.status === 'done' && changed.entry) || ''
  data.run('insert into closed values (7), (1100)')
  const saved: JobStep[] = []
  const save = async (step: JobStep) => void saved.push(step)
  await createUndoJob({ door, ledger }).run(
    {
      ...{ id: 'the-job', by: admin, checkpoint: null, progress: { done: 0, total: ROWS }, save },
      ...{ signal: new AbortController().signal, ending: new AbortController().signal },
      async write(step, write) {
        const place = { job: 'the-job', fence: 1, number: saved.length + 1, at: 0 }
        const outcome = await write({
          ...{ ...place, checkpoint: step.checkpoint, done: step.progress.done, total: ROWS },
        })
        if (outcome.status === 'done') await save(step)
        return outcome
      },
    },
    {
      ...{ input: undoJobInput({ entry, title: 'Undo', rows: ROWS }), actor: admin },
      source: actorSource({ ...services, door }, admin),
    },
  )
  expect(saved.at(-1)?.checkpoint).toEqual({ done: ROWS, back: ROWS - 2, left: 2 })
  expect(data.rows(`select id from orders where state = 'sent'`)).toEqual([{ id: 7 }, { id: 1100 }])
})
