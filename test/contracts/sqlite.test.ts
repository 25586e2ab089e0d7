import { rowSourceContract } from './row-source.ts'
import { openSqliteFixture } from './sqlite-fixture.ts'

rowSourceContract('SQLite', openSqliteFixture, {
  looseTexts: [
    { declared: 'text collate nocase' },
    { declared: 'text collate nocase', from: 'text' },
  ],
})

rowSourceContract(
  'SQLite, with every scan in a worker',
  (fixture) => openSqliteFixture(fixture, { smallRows: 0, workers: 1 }),
  { walks: 25, hostile: false },
)
