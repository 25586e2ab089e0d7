/** Tables of which kinds, widths and orders would tell about hidden rows, were they inferred from them. */

import type { World } from './worlds.ts'

/** What engines call a number that is often a switch; PostgreSQL has none of that kind. */
export type SwitchType = 'TINYINT(1)' | 'SMALLINT'

/** Statements that SQLite, PostgreSQL and MySQL take alike. */
export const sampledSchema = (switchType: SwitchType): readonly string[] => [
  `CREATE TABLE makers (
    id INTEGER PRIMARY KEY, mark VARCHAR(200), alias VARCHAR(200), visible INTEGER NOT NULL)`,
  `CREATE TABLE parts (
    id INTEGER PRIMARY KEY,
    art VARCHAR(200), site VARCHAR(200), contact VARCHAR(200), tint VARCHAR(200), ref VARCHAR(200),
    phase VARCHAR(200), due VARCHAR(200), begins VARCHAR(200), opens VARCHAR(200),
    extra VARCHAR(200), remark VARCHAR(400), flag ${switchType},
    sketch VARCHAR(200), made VARCHAR(200), visible INTEGER NOT NULL,
    maker_id INTEGER REFERENCES makers (id))`,
  `CREATE TABLE settings (
    id INTEGER PRIMARY KEY, option_name VARCHAR(200), option_value VARCHAR(400), owner VARCHAR(200))`,
  'CREATE INDEX settings_value ON settings (option_value, id)',
  'CREATE INDEX parts_phase ON parts (phase, id)',
  'CREATE INDEX parts_made ON parts (made, id)',
]

/** Columns of the tables that anybody may ask for, and one of each that is hidden or masked in part. */
export const SAMPLED_COLUMNS = {
  makers: ['id', 'mark', 'alias'],
  settings: ['id', 'option_name', 'option_value', 'owner'],
  parts: [
    ...['id', 'art', 'site', 'contact', 'tint', 'ref', 'phase', 'due', 'begins', 'opens'],
    ...['extra', 'remark', 'flag', 'sketch', 'made', 'maker_id'],
  ],
} as const

const uuid = (id: number): string => `0b617200-0000-4000-8000-${String(id).padStart(12, '0')}`
const date = (id: number): string => `2026-0${1 + (id % 9)}-1${id % 9}`

/** What each column holds where it is of a kind, in the order of the columns. */
const texts = (id: number): string[] => [
  `https://pictures.example.org/${id}.png`,
  `https://www.example.org/${id}`,
  `part${id}@example.org`,
  ['#0b6172', '#aabbcc', '#c0ffee'][id % 3]!,
  uuid(id),
  ['open', 'done', 'overdue'][id % 3]!,
  date(id),
  `${date(id)} 09:30:00`,
  `0${id % 10}:15`,
  `{"id": ${id}}`,
  `${'A long remark, which makes a wide column. '.repeat(4)}${id}`,
]

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value}'`

/**
 * The rows of a world. Those that may be seen are alike; in world one the hidden ones are of the same
 * kind, and so are the values of hidden columns; in world two they are words. Secret settings differ, too.
 */
export function sampledRows(world: World, word: string): string[] {
  const isTwo = world === 'two'
  const insert = (table: string, rows: (string | number)[][]) =>
    `INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.map(literal).join()})`).join()}`
  const ids = Array.from({ length: 48 }, (_, i) => i + 1)
  const makers = ids.slice(0, 16).map((id) => {
    const visible = id % 2
    const isWord = isTwo && visible === 0
    return [id, isWord ? `${word} ${id}` : uuid(id), `Maker ${visible ? id : word}`, visible]
  })
  const parts = ids.map((id) => {
    const visible = Number(id % 3 === 0)
    const isWord = isTwo && visible === 0
    const flag = isWord ? 2 : id % 2
    const told = texts(id).map((text) => (isWord ? `${word} ${id}` : text))
    const sketch = isTwo ? `${word} ${id}` : `https://pictures.example.org/${word}${id}.png`
    return [id, ...told, flag, sketch, isTwo ? word : date(id * 5), visible, 1 + (id % 16)]
  })
  const settings = ids.map((id) => {
    const isSecret = id % 2 === 0
    const hidden = isTwo
      ? `${word} ${100 - id}`
      : id % 6 === 0
        ? ''
        : `https://${word}${id}.example`
    const name = isSecret ? ['smtp_password', 'api.secret', 'nonce_salt'][id % 3]! : `theme_${id}`
    return [id, name, isSecret ? hidden : `value ${id % 5}`, `Owner ${id % 7}`]
  })
  return [insert('makers', makers), insert('parts', parts), insert('settings', settings)]
}
