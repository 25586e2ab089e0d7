/** States of something: few values that recur, each with a tint. */

import { type Cell, STATUS_MAX, type Tone } from '../../../protocol/table-view.ts'
import { type ColumnTest, setOf } from '../column-facts.ts'
import { humanize, wordsOf } from '../humanize.ts'
import { defineKind } from '../kind.ts'
import { memoizeCells } from '../memoize-cells.ts'
import type { ColumnDefinition } from '../table-definition.ts'

const NAMES = setOf('status state stage')

/** By whole words of the status: “Template” is not late. */
const TONES: readonly [Tone, RegExp][] = [
  ['new', /^(new|open|created|draft|queued|submitted|todo|scheduled|planned|received)$/],
  [
    'warn',
    /\b(review|reviewing|pending|progress|waiting|hold|warning|trial|partial|partially|processing|assigned|unassigned)\b/,
  ],
  [
    'ok',
    /^(ok|active|approved|verified|done|paid|complete|completed|resolved|success|succeeded|passed|shipped|delivered|published|enabled)$/,
  ],
  [
    'bad',
    /\b(disputed?|fail|failed|failure|reject|rejected|rejection|errors?|overdue|cancel|cancell?ed|cancellation|blocked|refused|refund|refunded|urgent|expired)\b|\blate$/,
  ],
]

/** The tint of a status, by its words; `idle` if no word is known. */
function toneOf(value: string): Tone {
  const words = wordsOf(value).join(' ')
  return TONES.find(([, pattern]) => pattern.test(words))?.[0] ?? 'idle'
}

/** `in_review` is a name for machines; “NY” and “Boeing 737” are what people write. */
const textOf = (value: string): string =>
  /^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(value) ? humanize(value) : value

/** A value by its declared name; `undefined` if it has none. */
export function namedCell(
  { values }: Pick<ColumnDefinition, 'values'>,
  value: string,
): [text: string, tone: Tone] | undefined {
  const name = values?.get(value)
  if (name === undefined) return undefined
  // What a value means stays when it is called otherwise; numbers have no words of their own.
  const tone = toneOf(value)
  return [name, tone === 'idle' ? toneOf(name) : tone]
}

/** Most different values that still count as few. */
const FEW = 20

/** Few values that recur: listed in the schema, or found in a sample or in statistics. */
const hasFewValues: ColumnTest = ({ column, table, sample }) => {
  if (column.allowed) return true
  const seen = new Set(sample).size
  const distinct = column.distinct ?? seen
  if (distinct === 0 || distinct > FEW) return false
  return seen > 0 ? sample.length >= seen * 2 : (table.estimate ?? 0) >= distinct * 5
}

/** At least two values, and at least half of all, have a tint. */
const readsLikeStates: ColumnTest = ({ column, sample }) => {
  const values = [...new Set(column.allowed ?? sample)]
  const toned = values.filter((value) => toneOf(value) !== 'idle').length
  return toned >= 2 && toned * 2 >= values.length
}

/** Beside a city, a state is a part of a country, unless its name says of what it is. */
const isNoRegion: ColumnTest = ({ words, last, table }) =>
  last !== 'state' ||
  words.some((word) => OF_WORK.has(word)) ||
  !table.columns.some(({ name }) => wordsOf(name).at(-1) === 'city')
const OF_WORK = setOf('payment shipping shipment order checkout workflow review approval')

const areShort: ColumnTest = ({ column, sample }) =>
  [...(column.allowed ?? []), ...sample].every((text) => text.length <= STATUS_MAX)

/** The tone of a cell of states; `undefined` where it holds none. */
export const toneIn = (cell: Cell): Tone | undefined =>
  Array.isArray(cell) ? ALL.find((tone) => tone === cell[1]) : undefined

const ALL = ['new', 'warn', 'ok', 'idle', 'bad'] as const satisfies Tone[]

export const status = defineKind({
  name: 'status',
  filter: 'choice',
  infer: [
    { types: ['text'], when: [hasFewValues, areShort, ({ last }) => NAMES.has(last), isNoRegion] },
    { types: ['text'], when: [hasFewValues, areShort, readsLikeStates] },
  ],
  cell: ({ cut }) =>
    memoizeCells((value) => {
      const text = String(value)
      return text.length > STATUS_MAX || text === '' ? cut(text) : [textOf(text), toneOf(text)]
    }),
  value(stored, { column, text: textValue }) {
    const value = String(stored)
    const [text, tone] = namedCell(column, value) ?? [textOf(value), toneOf(value)]
    if (text.length > STATUS_MAX) return { value: textValue(text) }
    return { value: { is: 'status', text, tone } }
  },
})
