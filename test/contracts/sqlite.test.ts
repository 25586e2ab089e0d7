import { findingContract } from './finding.ts'
import type { OpenFixture } from './fixture.ts'
import { readingContract } from './reading.ts'
import { rowSourceContract } from './row-source.ts'
import { selectingContract } from './selecting.ts'
import { openSqliteFixture } from './sqlite-fixture.ts'
import { imagesContract } from './images.ts'
import { isPlain } from '../tier.ts'

const COLLECTING = new URL('collecting-recorder.ts', import.meta.url).href

imagesContract(
  'SQLite',
  (fixture, file) => openSqliteFixture(fixture, { recorder: { url: COLLECTING, options: file } }),
  {
    shouting: `create trigger shout after update of name on people
      begin update people set name = upper(name) where id = new.id; end`,
    renumbering: `create trigger renumber after update of team on people
      begin update people set id = id + 100 where id = new.id; end`,
  },
)

rowSourceContract('SQLite', openSqliteFixture, {
  looseTexts: [
    { declared: 'text collate nocase' },
    { declared: 'text collate nocase', from: 'text' },
  ],
})

const inWorkers = 'SQLite, with every scan in a worker'
const openInWorkers: OpenFixture = (fixture) =>
  openSqliteFixture(fixture, { smallRows: 0, workers: 1 })

// What a worker runs is the same statement; that it ends, counts and exports is worth each run.
if (isPlain) {
  readingContract(inWorkers, openInWorkers, () => true)
  findingContract(inWorkers, openInWorkers)
  selectingContract(inWorkers, openInWorkers)
} else rowSourceContract(inWorkers, openInWorkers, { walks: 25 })
