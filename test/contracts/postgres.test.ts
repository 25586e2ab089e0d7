import { afterAll } from 'vitest'
import { postgresFixtures } from './postgres-fixture.ts'
import { describePostgres } from './postgres-server.ts'
import { rowSourceContract } from './row-source.ts'

const fixtures = postgresFixtures()
afterAll(() => fixtures.close())

describePostgres('PostgreSQL', () => {
  rowSourceContract('PostgreSQL', (fixture) => fixtures.open(fixture), {
    walks: 60,
    // PostgreSQL's texts cannot hold this character.
    canHold: (value) => typeof value !== 'string' || !value.includes('\0'),
    lock: {
      hold: (table) => `begin; lock table ${table} in access exclusive mode`,
      // A transaction would go on seeing what it has seen first.
      waiting: `select pg_stat_clear_snapshot(); select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
      release: 'rollback',
    },
  })
})
