import { afterAll } from 'vitest'
import { mysqlFixtures } from './mysql-fixture.ts'
import { describeMysql, mysqlVersion } from './mysql-server.ts'
import { rowSourceContract } from './row-source.ts'

describeMysql(mysqlVersion ?? 'MySQL', () => {
  const fixtures = mysqlFixtures()
  afterAll(fixtures.close)

  rowSourceContract('the contract', fixtures.open, { walks: 60 })
})
