import { describe, expect, test } from 'vitest'
import { columnOf, definitionOf } from '../../../test/table-of.ts'
import type { ColumnKind } from '../../protocol/table-view.ts'
import type { Column, Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'

const id = columnOf('id', { type: 'integer' })

const definitionIn = (column: Column, over?: Partial<Table>) =>
  definitionOf([id, column], over).columns.get(column.name)!

const of = (...sample: Value[]): Partial<Column> => ({ sample })
const whole = { type: 'integer' } as const
const decimal = { type: 'decimal' } as const
const uuid = (n: number) => `0b6172c4-4d6f-4a55-9a7b-00000000000${n}`
const again = (count: number, ...values: string[]) =>
  of(...Array.from({ length: count }, () => values).flat())
const PNG = 'https://cdn.example.org/a.png'

/** The name of a column, its other properties, and the kind inferred for it. */
const CASES: readonly [name: string, over: Partial<Column>, kind: ColumnKind][] = [
  // Pictures and links: by all values, or by the name unless the values contradict it.
  ['file', of(PNG, `${PNG}?v=2`), 'image'],
  ['file', of(PNG, 'https://example.org/report.pdf'), 'link'],
  ['avatar', of('https://i.example.org/150?u=7'), 'image'],
  ['avatar_url', {}, 'image'],
  ['avatarUrl', of('http://example.org/u/1'), 'image'],
  ['logo', of('acme', 'globex'), 'text'],
  ['photo', { type: 'binary' }, 'binary'],
  ['source', of('https://example.org', 'http://example.com/a b'), 'text'],
  ['source', of('https://example.org', 'http://example.com/a%20b'), 'link'],
  ['website', of('example.org'), 'text'],
  ['website', of('', null, 'https://example.org', 'soon'), 'link'],
  ['callback_url', {}, 'link'],
  ['homepage', {}, 'link'],
  ['blink', {}, 'text'],

  ['contact', of('ana@example.org', 'bo@example.org'), 'email'],
  ['contact', of('ana@example.org', '+385 1 234'), 'text'],
  ['email', {}, 'email'],
  ['billing_email', of('', 'ana@example.org'), 'email'],
  ['e_mail', {}, 'email'],
  ['emailAddress', {}, 'email'],
  ['email_subject', {}, 'text'],
  ['email', of('none', 'unknown'), 'text'],

  ['theme', of('#0b6172', '#FFF', '#ff000080'), 'colour'],
  ['colour', {}, 'colour'],
  ['label_color', of('#fff'), 'colour'],
  ['color', of('red', 'green'), 'text'],
  ['issue', of('#1234', '#123', '#7'), 'text'],
  ['issue', of('#123', '#456'), 'text'],
  ['colour', of('#123', '#456'), 'colour'],

  ['request', of(uuid(1), uuid(2)), 'key'],
  ['uuid', {}, 'key'],
  ['guid', of('n/a'), 'text'],

  // Statuses: few values, and a name or values for states.
  ['status', { allowed: ['a', 'b'] }, 'status'],
  ['order_status', again(3, 'pink', 'blue'), 'status'],
  ['status', again(1, 'a', 'b', 'c', 'd'), 'text'],
  ['status', { distinct: 4 }, 'status'],
  ['status', { distinct: 4000 }, 'text'],
  ['state', { distinct: 50, ...again(1, 'NY', 'CA', 'TX') }, 'text'],
  ['payment', { allowed: ['pending', 'paid', 'refunded'] }, 'status'],
  ['payment', again(4, 'paid', 'failed', 'wired'), 'status'],
  ['payment', again(4, 'paid', 'card', 'wire', 'cash', 'cheque'), 'text'],
  ['size', { allowed: ['Small', 'Medium', 'Large'] }, 'text'],
  ['notes', { allowed: ['a'] }, 'text'],
  ['tags', { array: true, ...of('{new,paid}') }, 'text'],

  ['description', {}, 'longtext'],
  ['user_bio', {}, 'longtext'],
  ['answer', of('x'.repeat(200), 'y'.repeat(90)), 'longtext'],
  ['answer', { declared: 'mediumtext' }, 'longtext'],
  ['answer', { declared: 'mediumtext', ...of('yes', 'no') }, 'text'],
  ['answer', { maxLength: 4000 }, 'longtext'],
  ['answer', { maxLength: 4000, ...of('yes', 'no') }, 'text'],
  ['city', of('Zagreb', 'Split'), 'text'],

  ['price', decimal, 'money'],
  ['unit_price', whole, 'money'],
  ['price_net', decimal, 'money'],
  ['total', decimal, 'money'],
  ['total_strikes', whole, 'number'],
  ['fee_count', whole, 'number'],
  ['worth_eur', whole, 'money'],
  ['cost_km', decimal, 'number'],
  ['worth', { ...decimal, declared: 'money' }, 'money'],
  ['price_id', whole, 'key'],
  ['price', of('cheap'), 'text'],

  ['is_open', { ...whole, ...of(0, 1, 1) }, 'boolean'],
  ['active', { ...whole, ...of(1) }, 'boolean'],
  ['active', { ...whole, ...of(1, 2) }, 'number'],
  ['active', whole, 'number'],
  ['strikes', { ...whole, ...of(0, 1, 0) }, 'number'],
  ['active', { type: 'boolean' }, 'boolean'],

  ['seq', { ...whole, identity: true }, 'key'],
  ['legacy_id', whole, 'key'],
  ['model_year', whole, 'key'],
  ['built', { ...whole, declared: 'year(4)' }, 'key'],
  ['position', whole, 'number'],
  ['latitude', { type: 'float' }, 'coordinate'],
  ['created_at', { type: 'datetime' }, 'datetime'],
  ['due', { type: 'date' }, 'date'],
  ['opens', { type: 'time' }, 'time'],
  ['data', { type: 'json' }, 'json'],
]

test.each(CASES)('%s with %j is taken for %s', (name, over, kind) => {
  expect(definitionIn(columnOf(name, over), { estimate: 1000 }).kind).toBe(kind)
})

describe('a column that a view reckons', () => {
  const view = { kind: 'view', key: [] } as const
  const counted = columnOf('strikes', of(12, 7))

  test('is a number where all of its values are, and adds up', () => {
    expect(definitionIn(counted, view)).toMatchObject({ kind: 'number', summary: 'sum' })
    expect(definitionIn(counted)).toMatchObject({ kind: 'text' })
    expect(definitionIn(columnOf('strikes', of(12, 'none')), view).kind).toBe('text')
  })

  test.each<[string, Partial<Column>, string | undefined]>([
    ['row_count', whole, 'sum'],
    ['mean_speed', decimal, 'mean'],
    ['speed_kt', decimal, 'mean'],
    ['error_rate', of(0.5), 'mean'],
    ['revenue', decimal, 'sum'],
    ['latitude', { type: 'float', declared: 'REAL' }, undefined],
    ['position', whole, undefined],
    ['model_year', whole, undefined],
  ])('called %s with %j has the summary %s', (name, over, summary) => {
    const column = columnOf(name, { declared: name === 'error_rate' ? '' : 'x', ...over })
    const { summary: inferred } = definitionIn(column, { ...view, kind: 'materialized view' })
    expect(inferred).toBe(summary)
  })
})
