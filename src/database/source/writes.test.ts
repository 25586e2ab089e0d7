import { describe, expect, test } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../../test/table-of.ts'
import { everything } from '../../table/source/predicate.ts'
import type { ForeignKey, Table } from '../../table/source/schema.ts'
import type { Changes } from '../../table/source/write-unit.ts'
import { sql } from '../query/sql.ts'
import type { Catalogue } from '../tables.ts'
import { tablesWritten, Writes } from './writes.ts'

const columns = [columnOf('id'), columnOf('code'), columnOf('parent')]

const linkTo = (table: string, column: string, over: Partial<ForeignKey> = {}): ForeignKey => ({
  ...{ columns: ['parent'], table, references: [column] },
  ...{ onDelete: 'restrict', onUpdate: 'restrict', ...over },
})

const catalogueOf = (...tables: readonly Table[]): Catalogue => ({
  schema: { name: 'test', engine: 'test', tables },
  tables: new Map(
    tables.map((table) => [table.name, { table, from: sql``, columns: new Map(), locator: [] }]),
  ),
})

const table = (name: string, over: Partial<Table> = {}) => tableOf(columns, { name, ...over })

const plain = catalogueOf(
  table('orders'),
  table('lines', { foreignKeys: [linkTo('orders', 'id', { onDelete: 'cascade' })] }),
  table('notes', { foreignKeys: [linkTo('lines', 'id', { onDelete: 'setNull' })] }),
  table('parcels', { foreignKeys: [linkTo('orders', 'code', { onUpdate: 'cascade' })] }),
  table('bills', { foreignKeys: [linkTo('orders', 'id')] }),
  table('reports', { triggers: [{ name: 'log', events: ['insert'] }] }),
  table('totals', { kind: 'view' }),
  table('kin', { sharesRows: true }),
)

const written = (name: string, changes: Changes, catalogue = plain) =>
  tablesWritten(catalogue, {
    parts: [{ access: accessTo(catalogue.tables.get(name)!.table), ...changes }],
  })

const update = (column: string): Changes => ({ rows: [{ update: ['1'], set: { [column]: 'x' } }] })
const set = (column: string): Changes => ({
  sets: [{ in: [['1']], where: everything, set: { [column]: 'x' } }],
})

describe('the tables of a unit', () => {
  test('are those it names', () => {
    expect(written('orders', update('parent'))).toEqual(['orders'])
    expect(written('orders', { rows: [{ insert: { id: '1', code: 'x' } }] })).toEqual(['orders'])
    expect(written('orders', set('parent'))).toEqual(['orders'])
  })

  test('and with what they refer to, or delete, those that foreign keys may change', () => {
    const all = ['orders', 'lines', 'parcels', 'notes']
    expect(written('orders', { rows: [{ delete: ['1'] }] })).toEqual(all)
    expect(written('orders', { sets: [{ in: [['1']], where: everything, delete: true }] })).toEqual(
      all,
    )
    expect(written('orders', update('code'))).toEqual(all)
    expect(written('orders', set('code'))).toEqual(all)
    expect(written('orders', { ranks: { column: 'code', at: [] } })).toEqual(all)
  })

  test('may be any where a trigger runs, or a table has no rows of its own', () => {
    for (const name of ['reports', 'totals', 'kin'])
      expect(written(name, update('parent'))).toBe('any')
    const noisy = table('lines', {
      ...{ foreignKeys: [linkTo('orders', 'id', { onDelete: 'cascade' })] },
      triggers: [{ name: 'log', events: ['delete'] }],
    })
    const catalogue = catalogueOf(table('orders'), noisy)
    expect(written('orders', { rows: [{ delete: ['1'] }] }, catalogue)).toBe('any')
    expect(written('orders', update('parent'), catalogue)).toEqual(['orders'])
  })

  test('may be others where it is not known what becomes of referring rows', () => {
    const { onDelete: _, ...link } = linkTo('orders', 'id')
    const catalogue = catalogueOf(table('orders'), table('lines', { foreignKeys: [link] }))
    expect(written('orders', { rows: [{ delete: ['1'] }] }, catalogue)).toEqual(['orders', 'lines'])
  })
})

function logOf() {
  const state = { current: plain, mayWrite: true }
  const log = new Writes<Catalogue>({
    catalogue: { checked: async () => state.current, current: async () => state.current },
    others: () => async () => [],
    mayWrite: () => state.mayWrite,
  })
  const access = accessTo(plain.tables.get('orders')!.table)
  const unit = { parts: [{ access, ...update('parent') }] }
  return { state, log, unit }
}

describe('the log of writes', () => {
  test('tells each watch what was written since it was asked', async () => {
    const { log, unit } = logOf()
    const [one, two] = [log.watch(), log.watch()]
    expect(await one.known()).toBe('any')
    log.begin(plain, unit).done()
    expect([await one.known(), await one.known(), await two.known()]).toEqual([
      ['orders'],
      [],
      'any',
    ])
    log.add({ tables: ['lines'], transactions: [] })
    expect([await one.known(), await two.known()]).toEqual([['lines'], ['lines']])
  })

  test('tells of no trial, and of what failed that it may be any', async () => {
    const { log, unit } = logOf()
    const watch = log.watch()
    await watch.known()
    log.begin(plain, { ...unit, isTrial: true }).done()
    expect(await watch.known()).toEqual([])
    log.begin(plain, unit).failed()
    expect(await watch.known()).toBe('any')
  })

  test('does not trust a catalogue that was another by the time of the write', async () => {
    const { log, unit, state } = logOf()
    const watch = log.watch()
    await watch.known()
    log.begin(plain, unit).done()
    state.current = catalogueOf()
    expect(await watch.known()).toBe('any')
  })

  test('cannot tell what is too long ago', async () => {
    const { log, unit } = logOf()
    const watch = log.watch()
    await watch.known()
    for (let write = 0; write < 2001; write++) log.begin(plain, unit).done()
    expect(await watch.known()).toBe('any')
    log.begin(plain, unit).done()
    expect(await watch.known()).toEqual(['orders'])
  })

  test('says nothing of others where units may not be written', async () => {
    const { log, state } = logOf()
    const watch = log.watch()
    expect(await watch.others()).toEqual([])
    state.mayWrite = false
    expect(await watch.others()).toBe('any')
  })
})
