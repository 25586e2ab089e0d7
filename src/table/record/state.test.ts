import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { accessTo, columnOf, infer, noOthers, tableOf } from '../../../test/table-of.ts'
import { encodeAnchor } from '../list/anchor.ts'
import type { ListState } from '../list/concerns.ts'
import { LISTING } from '../list/fold.ts'
import { rowKeys } from '../row-keys.ts'
import { parseFrom, parseRecordUrl } from './state.ts'

const table = tableOf([columnOf('id', { type: 'integer' }), columnOf('name'), columnOf('secret')])
const open = {
  definition: infer(table),
  access: accessTo(table, { readable: ['id', 'name'] }),
  keys: rowKeys(table),
  relations: new Map(),
  others: noOthers,
  takesChanges: false,
}
const from = async (query: string | null) =>
  (await parseFrom({ from: query }, open, undefined)).state
const anchor = encodeAnchor({ sort: ['a'], key: [1] })!

describe('the listing that one came from', () => {
  test.each<Partial<ListState>>([
    {},
    { search: 'goose & co' },
    { sort: [{ column: 'name', descending: true }], size: 100 },
    { columns: ['name'], place: { at: 'last', number: null, anchor: null } },
    {
      sort: [{ column: 'name', descending: false }],
      place: { at: 'after', number: 3, anchor },
    },
  ])('is %j', async (over) => {
    const state = LISTING.state(over)
    expect(await from(LISTING.query(state))).toEqual(state)
  })

  test.each([
    null,
    '',
    'nonsense',
    'sort=secret',
    'sort=nothing',
    'columns=secret',
    'filter.secret=1',
    'filter.secret=1',
    'search=a&search=b',
    'after=junk',
    `sort=name,id&after=${anchor}`,
    'sort=name&before=W10',
    '%',
    `search=${'x'.repeat(5000)}`,
  ])('is the table as it is opened where the address says %j', async (query) => {
    expect(await from(query)).toEqual(LISTING.state())
  })

  test('is read or ignored, whatever stands in the address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (query) => {
        const state = await from(query)
        expect(Object.keys(state)).toEqual(Object.keys(LISTING.state()))
        expect(JSON.stringify(state)).not.toContain('secret')
      }),
      { numRuns: runs(2000) },
    )
  })
})

test('an address may say where one comes from', () => {
  const parse = (query: string) => parseRecordUrl(new URLSearchParams(query))
  expect(parse('')).toEqual({ from: null })
  expect(parse('from=sort%3Dname').from).toBe('sort=name')
  for (const query of ['x=1', 'From=', '=', 'from=a&sort=b'])
    expect(() => parse(query)).toThrow(expect.objectContaining({ code: 'TABLE_BAD_PARAMETER' }))
})
