/** The migrations of the tables of jobs, in order; a released migration never changes. */

import { type Migrations, primary, required, type Schema } from '../metadata/migrate.ts'

async function createJobs({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_jobs')
    .addColumn('id', columns.key, primary)
    .addColumn('kind', columns.key, required)
    .addColumn('by_id', columns.key, required)
    .addColumn('by_name', columns.text, required)
    .addColumn('tables', columns.text, required)
    .addColumn('input', columns.text, required)
    .addColumn('request_key', columns.key, required)
    .addColumn('state', columns.key, required)
    .addColumn('asked', columns.key)
    .addColumn('checkpoint', columns.text, required)
    .addColumn('result', columns.text, required)
    .addColumn('steps', columns.whole, required)
    .addColumn('done', columns.whole, required)
    .addColumn('total', columns.whole)
    .addColumn('node', columns.key, required)
    .addColumn('until', columns.whole, required)
    .addColumn('fence', columns.whole, required)
    .addColumn('run_since', columns.whole, required)
    .addColumn('run_done', columns.whole, required)
    .addColumn('due_at', columns.whole, required)
    .addColumn('failures', columns.whole, required)
    .addColumn('created_at', columns.whole, required)
    .addColumn('changed_at', columns.whole, required)
    .addColumn('ended_at', columns.whole)
    .execute()
  await index('tablewire_jobs', ['by_id', 'request_key'], true)
  await index('tablewire_jobs', ['state'])
  await index('tablewire_jobs', ['ended_at'])
}

export const JOB_MIGRATIONS: Migrations = {
  keptIn: 'tablewire_job_migrations',
  list: [{ name: '0001-jobs', up: createJobs }],
}
