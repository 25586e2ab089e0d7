/** What is kept of entries that share a commit. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { RowImage } from '../../table/source/ledger-entry.ts'
import { openStore } from '../metadata/store.ts'
import { LEDGER_MIGRATIONS } from './migrations.ts'
import { createRecorder } from './thread-recorder.ts'

const draft = (id: string) => ({ id, at: 0, by: { id: 'ana', name: 'Ana' }, door: 'code' }) as const
const image = (key: number): RowImage => ({ table: 't', key: [key], before: null, after: { n: 1 } })
const recorded = { tables: [], lacks: [] }

test('of an entry that cannot be kept whole nothing is, and the others stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-recorder-'))
  const file = join(folder, 'ledger.sqlite')
  const store = await openStore(file, LEDGER_MIGRATIONS)
  await store.close()
  const db = new DatabaseSync(file)
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  db.exec(`create trigger full before insert on tablewire_changes when new.id = 'b'
    begin select raise(abort, 'disk full'); end`)
  const recorder = createRecorder({ file })
  const record = (id: string, key: number, isLast: boolean) =>
    recorder.record(
      { record: draft(id), images: [image(key)], values: [], ...(isLast && { recorded }) },
      () => 0,
    )
  record('a', 1, true)
  record('b', 2, false)
  expect(() => record('b', 3, true)).toThrow('disk full')
  recorder.flush?.()
  for (const table of ['tablewire_change_images', 'tablewire_change_keys'])
    expect(db.prepare(`select change_id from ${table}`).all()).toMatchObject([{ change_id: 'a' }])
})
