/** Whole numbers that count time: edited as moments of the reader's zone, and stored as counts, the same on every engine. */

import { describe, expect, test } from 'vitest'
import type { Texts } from '../../src/table/record/form/changed.ts'
import { drawFields } from '../../src/table/record/form/field.ts'
import { createSaving } from '../../src/table/record/form/saving.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { readAsk } from '../../src/table/plans/read-ask.ts'
import { doorTo } from '../door-to.ts'
import { admin } from '../table-of.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { anything } from '../kills/jars.ts'
import { openBench } from './opened.ts'

const VISITS: FixtureTable = {
  name: 'visits',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'created_at', type: 'integer' },
    { name: 'seen_ms', type: 'integer', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, 1_709_645_400, 1_709_645_400_125],
    [2, 1_709_645_401, null],
    // 2026-10-25 02:30 comes twice in Vienna.
    [3, 1_792_888_200, 1_792_891_800_000],
  ],
}

const reader = { language: 'en', locale: 'en-GB', timeZone: 'Europe/Vienna' }

export function countedMomentsContract(name: string, open: OpenFixture): void {
  describe(`${name}: whole numbers that count time`, () => {
    async function opened() {
      const { source, query } = await openBench(open, { tables: [VISITS] })
      const catalog = await createCatalog(source, anything)
      const visits = catalog.open(admin, 'visits')
      const door = doorTo(source, () => catalog)
      const saving = createSaving({ source, door, href: (table) => `/${table}` })
      const fields = async (key: string) => {
        const values = (await saving.readRow(visits, key)) ?? {}
        const drawn = drawFields(visits, { values, isNew: false, labels: new Map() }, reader)
        return drawn.flatMap((one) => ('input' in one ? [one.input] : []))
      }
      const save = (key: string | null, changed: Texts, seen: Texts) =>
        saving.save({
          ...{ open: visits, actor: admin, reader, door: 'form', key, changed, seen },
        })
      const stored = async (id: number) => {
        const [row = []] = await query(`select created_at, seen_ms from visits where id = ${id}`)
        return row.map((value) => (value === null ? null : Number(value)))
      }
      return { visits, fields, save, stored }
    }

    test('are drawn as moments in the zone of their reader', async () => {
      const { fields } = await opened()
      expect(await fields('1')).toMatchObject([
        { name: 'created_at', control: { is: 'moment' }, text: '2024-03-05 14:30:00' },
        { name: 'seen_ms', control: { is: 'moment' }, text: '2024-03-05 14:30:00.125' },
      ])
      expect((await fields('1'))[0]?.note).toBe('In the time zone Europe/Vienna.')
      expect((await fields('2')).map(({ text }) => text)).toEqual(['2024-03-05 14:30:01', null])
      const twice = ['2026-10-25 02:30:00', '2026-10-25 02:30:00']
      const texts = (await fields('3')).map(({ text }) => text ?? '')
      expect(texts.map((text) => text.slice(0, 19))).toEqual(twice)
      expect(new Set(texts).size).toBe(2)
    })

    test('are stored in the unit that their column holds, and nothing else is written', async () => {
      const { save, stored } = await opened()
      const later = { created_at: '2024-07-05 14:30' }
      expect(await save('1', later, { created_at: '2024-03-05 14:30:00' })).toMatchObject({
        status: 'saved',
      })
      expect(await stored(1)).toEqual([1_720_182_600, 1_709_645_400_125])
      await save(
        '1',
        { seen_ms: '2024-03-06 14:30:00.125' },
        { seen_ms: '2024-03-05 14:30:00.125' },
      )
      expect(await stored(1)).toEqual([1_720_182_600, 1_709_731_800_125])
      await save('2', { seen_ms: '2024-03-05T13:30:00.5Z' }, { seen_ms: null })
      expect(await stored(2)).toEqual([1_709_645_401, 1_709_645_400_500])
      await save('2', { seen_ms: null }, { seen_ms: '2024-03-05 14:30:00.5' })
      expect(await stored(2)).toEqual([1_709_645_401, 1_709_645_400_500])
      await save('2', { seen_ms: null }, { seen_ms: '2024-03-05 14:30:00.500' })
      expect(await stored(2)).toEqual([1_709_645_401, null])
      expect(await save(null, { id: '4', created_at: '2024-03-05' }, {})).toMatchObject({
        status: 'saved',
      })
      expect(await stored(4)).toEqual([1_709_593_200, null])
    })

    test('come back as they were, also at the hour that comes twice', async () => {
      const { fields, save, stored } = await opened()
      for (const key of ['1', '3']) {
        const texts = Object.fromEntries((await fields(key)).map(({ name, text }) => [name, text]))
        const before = await stored(Number(key))
        const cleared = { ...texts, seen_ms: null }
        expect(await save(key, { seen_ms: null }, texts)).toMatchObject({ status: 'saved' })
        expect(await save(key, texts, cleared)).toMatchObject({ status: 'saved' })
        expect(await stored(Number(key))).toEqual(before)
      }
    })

    test('are refused as wrong dates are, and tell what others have saved as a moment', async () => {
      const { save, stored, visits } = await opened()
      const seen = { created_at: '2024-03-05 14:30:00' }
      const errorOf = async (text: string | null) => {
        const result = await save('1', { created_at: text }, seen)
        return result.status === 'refused' ? result.errors['created_at'] : result
      }
      const wrong = 'Write a date and time such as 2024-03-05 14:30.'
      for (const text of ['soon', '1709645400', '2024-02-30 10:00', '2024-03-31 02:30'])
        expect(await errorOf(text), text).toEqual([wrong])
      expect(await errorOf('2024-03-05 14:30:00.5')).toEqual([
        'Write fewer digits: this column would round the number.',
      ])
      expect(await errorOf('1990-01-01 10:00')).toEqual(['Write a date from 1998 to 2099.'])
      expect(await errorOf('')).toEqual(['Created is required.'])
      expect(await save('2', { created_at: '2024-03-05 15:00' }, seen)).toMatchObject({
        ...{ status: 'refused', errors: {} },
        conflicts: [{ column: 'created_at', theirs: '2024-03-05 14:30:01' }],
      })
      expect(await stored(1)).toEqual([1_709_645_400, 1_709_645_400_125])
      const fields = { seen_ms: { how: 'set', text: '2024-03-05 14:30' } } as const
      expect(await readAsk({ open: visits, reader }, { do: 'edit', fields })).toEqual({
        write: { set: { seen_ms: 1_709_645_400_000 } },
      })
    })
  })
}
