import { rowSourceContract } from './row-source.ts'
import { openSqliteFixture } from './sqlite-fixture.ts'
import { imagesContract } from './images.ts'
import { isPlain } from '../tier.ts'

const COLLECTING = new URL('collecting-recorder.ts', import.meta.url).href

imagesContract(
  'SQLite',
  (fixture, file) => openSqliteFixture(fixture, { recorder: { url: COLLECTING, options: file } }),
  `create trigger shout after update of name on people
    begin update people set name = upper(name) where id = new.id; end`,
)

rowSourceContract('SQLite', openSqliteFixture, {
  looseTexts: [
    { declared: 'text collate nocase' },
    { declared: 'text collate nocase', from: 'text' },
  ],
})

rowSourceContract(
  'SQLite, with every scan in a worker',
  (fixture) => openSqliteFixture(fixture, { smallRows: 0, workers: 1 }),
  // A worker never writes.
  { walks: 25, writes: !isPlain },
)
