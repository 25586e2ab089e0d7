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
  })
})
