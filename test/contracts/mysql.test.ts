import { afterAll } from 'vitest'
import { openMysql } from '../../src/database/mysql/open.ts'
import { serverRecorder } from './collecting-recorder.ts'
import { imagesContract } from './images.ts'
import { shop } from './fixture.ts'
import { mysqlFixtures } from './mysql-fixture.ts'
import { describeMysql, isMariaDb, mysqlVersion } from './mysql-server.ts'
import { type OpenAsUser, rightsContract } from './rights.ts'
import { rowSourceContract } from './row-source.ts'

describeMysql(mysqlVersion ?? 'MySQL', () => {
  const fixtures = mysqlFixtures()
  afterAll(fixtures.close)

  const openAsUser: OpenAsUser = async ({ people, orders }) => {
    const { database, close } = await fixtures.open(shop)
    const name = `${database.name}_u`.slice(-32)
    const user = `'${name}'@'%'`
    await database.run(`create user ${user} identified by 'pw';
      grant ${people} on people to ${user}; grant ${orders} on orders to ${user}`)
    const source = await openMysql(database.url({ name, password: 'pw' }))
    return {
      source,
      user: `${name}@%`,
      close: async () => {
        await source.close()
        await database.run(`drop user ${user}`)
        await close()
      },
    }
  }

  rightsContract('the contract', openAsUser, { tellsDelete: false })

  imagesContract(
    'the contract',
    (fixture, file) => fixtures.open(fixture, { recorder: serverRecorder(file) }),
    {
      shouting:
        'create trigger shout before update on people for each row set new.name = upper(new.name)',
      renumbering:
        'create trigger renumber before update on people for each row set new.id = new.id + 100',
    },
  )

  rowSourceContract('the contract', fixtures.open, {
    walks: 60,
    looseTexts: [{ declared: 'varchar(20) collate utf8mb4_general_ci' }],
    lock: {
      hold: (table) => `lock tables ${table} write`,
      waiting: `select count(*) from ${isMariaDb ? 'information_schema' : 'performance_schema'}.processlist
        where db = database() and state = 'Waiting for table metadata lock'`,
      release: 'unlock tables',
    },
  })
})
