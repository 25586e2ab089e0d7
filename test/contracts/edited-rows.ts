/** Rows with fields of every kind that two people edit at once, and texts that they type into these. */

import type { Texts } from '../../src/ui/record/edits.ts'
import type { Chance } from '../simulator/chance.ts'
import type { MetadataPlace } from './metadata-places.ts'
import { LETTERS } from './random-changes.ts'

const ENGINES = {
  sqlite: { whole: 'integer', moment: 'datetime', json: 'json', text: 'text' },
  postgres: { whole: 'bigint', moment: 'timestamp', json: 'json', text: 'text' },
  mysql: { whole: 'bigint', moment: 'datetime(6)', json: 'longtext', text: 'char' },
} as const

/** Makes `count` rows, numbered from 1. */
export async function createEdited({ engine, run }: MetadataPlace, count: number): Promise<void> {
  const { whole, moment, json } = ENGINES[engine]
  await run('drop table if exists edited')
  await run(`create table edited (id integer primary key, label varchar(200) not null, note text,
    price decimal(12, 3), size ${whole}, placed_at ${moment}, is_paid boolean,
    state varchar(9) check (state in ('new', 'sent', 'back')), extra ${json})`)
  const rows = Array.from(
    { length: count },
    (_, at) =>
      `(${at + 1}, 'label', 'note', 1.125, 5, '2024-03-05 14:30:00.125001', false, 'new', '{"a":1}')`,
  )
  await run(`insert into edited values ${rows.join(', ')}`)
}

/** What somebody writes past Tablewire into the field that people change most. */
export const writeOutside = ({ run }: MetadataPlace, id: number, label: string) =>
  run(`update edited set label = '${label}' where id = ${id}`)

/** What the database holds in a row, as texts. */
export async function storedTexts({ engine, run }: MetadataPlace, id: number): Promise<Texts> {
  const { text } = ENGINES[engine]
  const columns = COLUMNS.map((name) =>
    name === 'is_paid'
      ? `case when is_paid then 'true' when not is_paid then 'false' end`
      : `cast(${name} as ${text})`,
  )
  const [row = []] = await run(`select ${columns.join(', ')} from edited where id = ${id}`)
  // Each is cast to a text, or is NULL.
  return Object.fromEntries(COLUMNS.map((name, at) => [name, row[at] as string | null]))
}

const MAX = 2n ** 63n - 1n

/** Texts as the database itself writes them, so that they can be compared. */
const TYPED: { readonly [column: string]: (chance: Chance) => string | null } = {
  // A text that a row needs cannot be emptied.
  label: (chance) => words(chance, 1),
  note: (chance) => orNull(chance, words(chance)),
  price: (chance) =>
    orNull(
      chance,
      `${chance.pick(['', '-'])}${chance.between(0, 999_999_999)}.${chance.between(10, 99)}${chance.between(1, 9)}`,
    ),
  size: (chance) =>
    orNull(
      chance,
      String(chance.pick([MAX, -MAX - 1n, 0n, 2n ** 53n + 1n, BigInt(chance.between(1, 9))])),
    ),
  placed_at: (chance) =>
    orNull(
      chance,
      `20${chance.between(10, 99)}-02-2${chance.between(0, 8)} 0${chance.between(0, 9)}:00:59.${chance.between(10_000, 99_999)}${chance.between(1, 9)}`,
    ),
  is_paid: (chance) => orNull(chance, chance.pick(['true', 'false'])),
  state: (chance) => orNull(chance, chance.pick(['new', 'sent', 'back'])),
  extra: (chance) =>
    orNull(chance, `{"b": ${chance.between(0, 9)},\n  "a":  "${chance.pick(['', 'é', ' '])}"}`),
}

const COLUMNS = Object.keys(TYPED)

const orNull = (chance: Chance, text: string): string | null => (chance.happens(0.15) ? null : text)

const words = (chance: Chance, fewest = 0): string =>
  Array.from({ length: chance.between(fewest, 5) }, () => chance.pick(LETTERS)).join('')

/** Texts for a few fields; the first one most often, so that people meet. */
export function typedTexts(chance: Chance, most: number): Texts {
  const columns = COLUMNS.filter((_, at) => chance.happens(at === 0 ? 0.6 : 0.3))
  const some = columns.length === 0 ? ['note'] : columns
  return Object.fromEntries(
    some.slice(0, most).map((name) => [name, TYPED[name]?.(chance) ?? null]),
  )
}
