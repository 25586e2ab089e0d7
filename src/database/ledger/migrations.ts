/** The migrations of the ledger's tables, in order; a released migration never changes. */

import { sql } from 'kysely'
import { type Migrations, primary, required, type Schema } from '../metadata/migrate.ts'
import { decodeKeys, keyRangeOf } from './set-codec.ts'

async function createChanges({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_changes')
    .addColumn('id', columns.key, primary)
    .addColumn('at', columns.whole, required)
    .addColumn('by_id', columns.key, required)
    .addColumn('by_name', columns.text, required)
    .addColumn('behalf_id', columns.key)
    .addColumn('behalf_name', columns.text)
    .addColumn('door', columns.key, required)
    .addColumn('undoes', columns.key)
    .addColumn('state', columns.key, required)
    .addColumn('hook', columns.key, required)
    .addColumn('recorded', columns.text, required)
    .execute()
  await index('tablewire_changes', ['at', 'id'])
  await index('tablewire_changes', ['by_id', 'at'])
  await index('tablewire_changes', ['undoes'])
  await index('tablewire_changes', ['state'])
}

async function createImages({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_change_images')
    .addColumn('change_id', columns.key, required)
    .addColumn('place', columns.whole, required)
    .addColumn('table_name', columns.key, required)
    .addColumn('images', columns.text, required)
    .addPrimaryKeyConstraint('tablewire_change_images_key', ['change_id', 'place'])
    .execute()
  await index('tablewire_change_images', ['table_name', 'change_id'])
}

async function createKeys({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_change_keys')
    .addColumn('table_name', columns.key, required)
    .addColumn('row_key', columns.key, required)
    .addColumn('change_id', columns.key, required)
    .addPrimaryKeyConstraint('tablewire_change_keys_key', ['row_key', 'table_name', 'change_id'])
    .execute()
  await index('tablewire_change_keys', ['change_id'])
}

const createValues = ({ table, columns }: Schema): Promise<void> =>
  table('tablewire_change_values')
    .addColumn('digest', columns.key, primary)
    .addColumn('bytes', columns.bytes, required)
    .addColumn('is_text', columns.whole, required)
    .execute()

const createErasures = ({ table, columns }: Schema): Promise<void> =>
  table('tablewire_erasures')
    .addColumn('id', columns.key, primary)
    .addColumn('at', columns.whole, required)
    .addColumn('by_id', columns.key, required)
    .addColumn('by_name', columns.text, required)
    .addColumn('table_name', columns.key, required)
    .addColumn('row_digest', columns.key, required)
    .execute()

async function createHooks({ db, table, columns, index }: Schema): Promise<void> {
  await table('tablewire_hooks')
    .addColumn('change_id', columns.key, primary)
    .addColumn('node', columns.key, required)
    .addColumn('until', columns.whole, required)
    .addColumn('failures', columns.whole, required)
    .execute()
  await index('tablewire_hooks', ['until'])
  await sql`insert into tablewire_hooks (change_id, node, until, failures)
    select id, '', 0, 0 from tablewire_changes
    where hook = 'due' and id not in (select change_id from tablewire_hooks)`.execute(db)
}

/** Of a job's changes, the step of it; no step is written twice. */
async function addSteps({ column, columns, index }: Schema): Promise<void> {
  await column('tablewire_changes', 'job_id', columns.key)
  await column('tablewire_changes', 'job_step', columns.whole)
  await column('tablewire_changes', 'step', columns.text)
  await index('tablewire_changes', ['job_id', 'job_step'], true)
}

/** Of images that stand column by column, between which keys they are: those rows have no keys of their own. */
async function addKeyRanges({ column, columns, index }: Schema): Promise<void> {
  await column('tablewire_change_images', 'first_key', columns.key)
  await column('tablewire_change_images', 'last_key', columns.key)
  await index('tablewire_change_images', ['table_name', 'first_key'])
}

/** Ranges of whole numbers by their size, which those that an earlier version has kept were not. */
async function orderKeyRanges({ db, index }: Schema): Promise<void> {
  const places = await sql<{ id: string; place: number }>`select change_id as id, place
    from tablewire_change_images where first_key is not null`.execute(db)
  for (const { id, place } of places.rows) {
    const is = sql`change_id = ${id} and place = ${place}`
    const found = await sql<{ images: string }>`select images from tablewire_change_images
      where ${is}`.execute(db)
    const { first, last } = keyRangeOf(decodeKeys(found.rows[0]?.images ?? ''))
    await sql`update tablewire_change_images set first_key = ${first}, last_key = ${last}
      where ${is}`.execute(db)
  }
  await index('tablewire_change_images', ['table_name', 'first_key', 'last_key'])
}

export const LEDGER_MIGRATIONS: Migrations = {
  keptIn: 'tablewire_ledger_migrations',
  list: [
    { name: '0001-changes', up: createChanges },
    { name: '0002-images', up: createImages },
    { name: '0003-keys', up: createKeys },
    { name: '0004-values', up: createValues },
    { name: '0005-erasures', up: createErasures },
    { name: '0006-hooks', up: createHooks },
    { name: '0007-steps', up: addSteps },
    { name: '0008-key-ranges', up: addKeyRanges },
    { name: '0009-ordered-key-ranges', up: orderKeyRanges },
  ],
}
