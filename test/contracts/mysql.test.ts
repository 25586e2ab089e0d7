import { afterAll } from 'vitest'
import { mysqlFixtures } from './mysql-fixture.ts'
import { describeMysql, isMariaDb, mysqlVersion } from './mysql-server.ts'
import { rowSourceContract } from './row-source.ts'

describeMysql(mysqlVersion ?? 'MySQL', () => {
  const fixtures = mysqlFixtures()
  afterAll(fixtures.close)

  rowSourceContract('the contract', fixtures.open, {
    walks: 60,
    lock: {
      hold: (table) => `lock tables ${table} write`,
      waiting: `select count(*) from ${isMariaDb ? 'information_schema' : 'performance_schema'}.processlist
        where db = database() and state = 'Waiting for table metadata lock'`,
      release: 'unlock tables',
    },
  })
})
