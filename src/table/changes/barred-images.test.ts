/** Rows that the policy lets somebody see and not change back, by keys of any type. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { openOrdersPolicy } from '../../../test/open-orders-policy.ts'
import { admin } from '../../../test/table-of.ts'
import { createCatalog } from '../catalog.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import { barredImages } from './barred-images.ts'

const ROWS = 600

let data: OpenDataFile
beforeAll(async () => {
  data = await openDataFile(`create table orders (code text primary key, state text);
    with recursive n(n) as (select 1 union all select n + 1 from n where n < ${ROWS})
      insert into orders select 'code ' || n, iif(n % 2, 'open', 'closed') from n`)
})
afterAll(() => data.close())

test('many rows are asked for together, and those that are barred are told', async () => {
  const open = (await createCatalog(data.source, openOrdersPolicy)).open(admin, 'orders')
  const keys = vi.spyOn(data.source, 'keys')
  const seen = Array.from({ length: ROWS }, (_, at) => {
    const image: RowImage = {
      ...{ table: 'orders', key: [`code ${at + 1}`] },
      ...{ before: { state: 'open' }, after: { state: 'closed' } },
    }
    return { image, open, current: undefined }
  })
  const barred = await barredImages(data.source, seen)
  expect([...barred].map(({ key }) => key[0])).toEqual(
    seen.flatMap((_, at) => (at % 2 ? `code ${at + 1}` : [])),
  )
  expect(keys).toHaveBeenCalledTimes(2)
})
