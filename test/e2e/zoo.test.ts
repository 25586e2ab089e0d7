/** The hardest values of each engine, typed into the fields of a form and read back from the database. */

import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/cli/open-database.ts'
import { describeMetadata, type MetadataPlace } from '../contracts/metadata-places.ts'
import { createZoo, storedZoo, TABLE, typedIn, wantedOf } from '../contracts/zoo/zoo.ts'
import { ZOOS } from '../contracts/zoo/zoos.ts'
import { nightly } from '../nightly.ts'
import { collectComplaints, openOffice } from './office.ts'
import { hydrated } from './page-probe.ts'

/** Edges of the zoo, and one that must be refused. */
const TYPED = {
  sqlite: {
    texts: {
      v_integer: '9223372036854775807',
      v_decimal: '-12345678.9',
      v_moment: '2024-02-29 12:00:00.123456789',
      v_varchar: '',
      v_typeless: '007',
      v_json: '{\n  "b" : 1.50 }',
      v_real: '1.0e+300',
    },
    refused: ['v_numeric', '12345678901234567890'],
  },
  postgres: {
    texts: {
      v_int8: '9223372036854775807',
      v_numeric: '123456789012345678901234567890.5',
      v_price: '0.10',
      v_moment: '2024-02-29 12:00:00.000001',
      v_varchar: '',
      v_json: '{\n  "b" : 1.50 }',
      v_texts: '{"a,b","\\""," c "}',
      v_during: '["2024-01-01 00:00:00.000001+00",infinity)',
      v_pair: '(1," a, b ")',
    },
    refused: ['v_second', '2024-02-29 12:00:00.5'],
  },
  mysql: {
    texts: {
      v_unsigned: '18446744073709551615',
      v_decimal: '9999999999999999.9999',
      v_micro: '2024-02-29 12:00:00.000001',
      v_varchar: '',
      v_json: '{\n  "b" : 1.50 }',
      v_time: '-838:59:59.000',
      v_set: 'b,c d',
    },
    refused: ['v_moment', '2024-02-29 12:00:00.5'],
  },
} as const

const inputOf = (page: Page, name: string) => page.locator(`[name="set.${name}"]`)

async function typeIn(page: Page, name: string, text: string): Promise<void> {
  const input = inputOf(page, name)
  await input.focus()
  // An empty text is more than no value: something has stood there.
  await page.keyboard.insertText(text === '' ? 'x' : text)
  if (text === '') await page.keyboard.press('Backspace')
}

async function typeZoo(place: MetadataPlace): Promise<void> {
  const zoo = ZOOS[place.engine]
  await createZoo(place, zoo)
  const lines = {
    sqlite: "'a' || char(13, 10) || 'b '",
    postgres: "E'a\\r\\nb '",
    mysql: "'a\\r\\nb '",
  }
  await place.run(`update ${TABLE} set v_text = ${lines[place.engine]} where id = 1`)
  const office = await openOffice(undefined, {
    ...{ write: true, live: false, source: await openDatabase(place.address) },
  })
  onTestFinished(office.close)
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/${TABLE}/records/1?edit=on`)
  await hydrated(page)
  const { texts, refused } = TYPED[place.engine]
  for (const [name, text] of Object.entries(texts)) await typeIn(page, name, text)
  await inputOf(page, 'v_text').press('Control+End')
  await page.keyboard.insertText(' c')
  const [wrong, value] = refused
  await typeIn(page, wrong, value)
  await page.keyboard.press('Control+s')
  await page.getByText('Not saved: 1 field has a problem').waitFor()
  await expect.poll(() => inputOf(page, wrong).inputValue()).toBe(value)
  await inputOf(page, wrong).fill('')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/records\/1$/)

  const stored = await storedZoo(place, zoo)
  const wanted = Object.entries(texts).map(([name, text]) => {
    const edge = zoo.columns[name]?.edges.find((one) => typedIn(one) === text)
    return [name, edge === undefined ? 'none of the edges' : wantedOf(edge)] as const
  })
  const kept = [...stored].filter(([name, value]) => value !== null && !zoo.columns[name]?.isFixed)
  const text = place.engine === 'sqlite' ? "'a\r\nb  c'" : 'a\r\nb  c'
  expect(Object.fromEntries(kept)).toEqual({ ...Object.fromEntries(wanted), v_text: text })
  expect(complaints).toEqual([])
}

const TITLE = 'comes back from the fields of a form byte for byte'

describeMetadata('the type zoo', (place) => test(TITLE, () => typeZoo(place())), ['sqlite'])
describeMetadata('the type zoo', (place) => nightly.detail(TITLE, () => typeZoo(place())), [
  'postgres',
  'mysql',
])
