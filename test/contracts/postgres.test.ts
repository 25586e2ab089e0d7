import { afterAll } from 'vitest'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { serverRecorder } from './collecting-recorder.ts'
import { imagesContract } from './images.ts'
import { shop } from './fixture.ts'
import { postgresFixtures } from './postgres-fixture.ts'
import { describePostgres } from './postgres-server.ts'
import { type OpenAsUser, rightsContract } from './rights.ts'
import { rowSourceContract } from './row-source.ts'

const fixtures = postgresFixtures()
afterAll(() => fixtures.close())

const openAsUser: OpenAsUser = async ({ people, orders }) => {
  const { database, close } = await fixtures.open(shop)
  const user = `${database.name}_user`
  await database.run(`create role ${user} login; grant usage on schema public to ${user};
    grant ${people} on people to ${user}; grant ${orders} on orders to ${user}`)
  const source = await openPostgres(database.url(user))
  return {
    source,
    user,
    close: async () => {
      await source.close()
      await database.run(`drop owned by ${user}; drop role ${user}`)
      await close()
    },
  }
}

describePostgres('PostgreSQL', () => {
  rightsContract('PostgreSQL', openAsUser, { tellsDelete: true })
  imagesContract(
    'PostgreSQL',
    (fixture, file) => fixtures.open(fixture, { recorder: serverRecorder(file) }),
    {
      // Deferred, so that it runs as late as a trigger can.
      shouting: `create or replace function shout() returns trigger language plpgsql as
      'begin update people set name = upper(name) where id = new.id and name <> upper(name); return null; end';
    create constraint trigger shout after update on people deferrable initially deferred
      for each row execute function shout()`,
      renumbering: `create or replace function renumber() returns trigger language plpgsql as
        'begin new.id := new.id + 100; return new; end';
      create trigger renumber before update on people for each row execute function renumber()`,
    },
  )
  rowSourceContract('PostgreSQL', (fixture) => fixtures.open(fixture), {
    walks: 60,
    looseTexts: [
      { declared: 'citext', setUp: 'create extension if not exists citext' },
      {
        declared: 'text collate loose',
        setUp: `create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      },
    ],
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
