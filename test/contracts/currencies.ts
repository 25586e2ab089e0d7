/** Amounts of several currencies: shown by their row's, and added up within each alone, the same on every engine. */

import { describe, expect, test } from 'vitest'
import type { Policy } from '../../src/table/source/access.ts'
import type { Value } from '../../src/table/source/value.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { exportFile, openList, reading } from './listed.ts'
import { openBench } from './opened.ts'

const payments = (rows: readonly (readonly Value[])[]): FixtureTable => ({
  name: 'payments',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'amount_cents', type: 'integer', nullable: true },
    { name: 'fee', type: 'decimal', nullable: true },
    { name: 'currency', type: 'text', nullable: true },
  ],
  key: ['id'],
  rows,
})

const FEW = payments([
  [1, 1250, '0.50', 'EUR'],
  [2, 99, '1.25', 'EUR'],
  [3, 5, '3', 'JPY'],
  [4, -1001, '0.005', 'KWD'],
  [5, null, null, 'EUR'],
])
const MANY = payments(['EUR', 'USD', 'JPY', 'KWD'].map((code, at) => [at + 1, 100, '1', code]))

const SPELLED = payments(
  ['EUR', 'eur', ' EUR', 'Eur', 'JPY'].map((code, at) => [at + 1, 100, '1', code]),
)

const withoutCurrency: Policy = {
  version: '2',
  grant: (person, table) => ({
    ...reading.grant(person, table)!,
    readable: table.columns.map(({ name }) => name).filter((name) => name !== 'currency'),
  }),
}

export function currenciesContract(name: string, open: OpenFixture): void {
  describe(`${name}: amounts of several currencies`, () => {
    const opened = async (table = FEW, policy = reading, query = 'sort=id') => {
      const { source } = await openBench(open, { tables: [table] })
      return { source, ...(await openList(source, 'payments', { policy, query })) }
    }
    const SUMS = ['amount_cents', 'fee']

    test('are shown with the digits and the sign of their row’s currency', async () => {
      const { texts, list } = await opened()
      const shown = ['€12.50', '€0.99', '¥5', '-KWD 1.001', '']
      expect(texts('amount_cents').map((text) => text.replace(/\u00a0/g, ' '))).toEqual(shown)
      expect(list.view.columns.find(({ name }) => name === 'amount_cents')?.label).toBe('Amount')
      const alone = await opened(FEW, reading, 'sort=id&columns=id,amount_cents')
      expect(alone.texts('amount_cents')[1]).toBe('€0.99')
      expect(alone.list.view.columns).toHaveLength(2)
    })

    test('are added up within each currency, on the page and in a selection', async () => {
      const { sum, list } = await opened()
      const plain = (text: string | undefined) => text?.replace(/\u00a0/g, ' ')
      expect(plain(sum('amount_cents'))).toBe('€13.49 · ¥5 · -KWD 1.001')
      expect(plain(sum('fee'))).toBe('€1.75 · ¥3 · KWD 0.005')
      const few = await list.call.selectedSums(['1', '2', '3'], SUMS)
      expect(few.map(({ text }) => text)).toEqual(['€13.49 · ¥5', '€1.75 · ¥3'])
      const rest = await list.call.selectedSums({ except: ['3', '4'] }, SUMS)
      expect(rest.map(({ text }) => text)).toEqual(['€13.49', '€1.75'])
      const all = await list.call.selectedSums({ except: [] }, SUMS)
      expect(all.map(({ text }) => plain(text)?.split(' · ').toSorted().join(' · '))).toEqual(
        ['€13.49 · ¥5 · -KWD 1.001', '€1.75 · ¥3 · KWD 0.005'].map((text) =>
          text.split(' · ').toSorted().join(' · '),
        ),
      )
    })

    test('of more than three currencies have no sum, which is said', async () => {
      const { sum, list } = await opened(MANY)
      const why = 'more than three currencies'
      expect(sum('amount_cents')).toBe(why)
      const all = await list.call.selectedSums({ except: [] }, SUMS)
      expect(all.map(({ text }) => text)).toEqual([why, why])
    })

    test('are added up within one currency however it is spelled', async () => {
      const { sum, list } = await opened(SPELLED)
      const sums = ['€4.00 · ¥100', '€4.00 · ¥1']
      expect([sum('amount_cents'), sum('fee')]).toEqual(sums)
      const all = await list.call.selectedSums({ except: [] }, SUMS)
      expect(all.map(({ text }) => text)).toEqual(sums)
      const rest = await list.call.selectedSums({ except: ['1', '5'] }, SUMS)
      expect(rest.map(({ text }) => text)).toEqual(['€3.00', '€3.00'])
    })

    test('are never added up for whoever may not read the currency, which is said', async () => {
      const { sum, texts, list } = await opened(FEW, withoutCurrency)
      const why = 'currency not known'
      expect(texts('amount_cents').slice(0, 2)).toEqual(['1,250 cents', '99 cents'])
      expect([sum('amount_cents'), sum('fee')]).toEqual([why, why])
      for (const selected of [['1', '2'], { except: [] }])
        expect((await list.call.selectedSums(selected, SUMS)).map(({ text }) => text)).toEqual([
          why,
          why,
        ])
    })

    test('are exported as they are stored', async () => {
      const { source } = await opened()
      const csv = (await exportFile(source, 'payments', { query: 'sort=id' })).toString()
      expect(csv.split('\r\n')[1]).toMatch(/^1,1250,0\.50*,EUR$/)
    })
  })
}
