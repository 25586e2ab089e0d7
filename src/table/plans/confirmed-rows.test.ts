/** Rows of a plan as they were confirmed, by a policy that lets some of them be seen and not be changed. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { sourceWith } from '../../../test/source-with.ts'
import { openOrdersPolicy } from '../../../test/open-orders-policy.ts'
import { admin } from '../../../test/table-of.ts'
import { createCatalog } from '../catalog.ts'
import { everything } from '../source/predicate.ts'
import { compareRows } from './confirmed-rows.ts'

let data: OpenDataFile
beforeAll(async () => {
  data = await openDataFile(`create table orders (id integer primary key, state text);
    insert into orders values (1, 'open'), (2, 'open'), (3, 'closed')`)
})
afterAll(() => data.close())

test('a row that may no longer be changed once it was found stands in one list', async () => {
  const { source } = data
  const open = (await createCatalog(source, openOrdersPolicy)).open(admin, 'orders')
  const closing = sourceWith(source, {
    keys(...asked) {
      data.run(`update orders set state = 'closed' where id = 1`)
      return source.keys(...asked)
    },
  })
  const compared = await compareRows(
    { source: closing, open, signal: new AbortController().signal },
    { keys: [[1], [2], [3], [4]], digests: null },
    { where: everything, compared: [], write: { set: { state: 'sent' } } },
  )
  expect(compared).toMatchObject({ same: { keys: [[1], [2]] }, gone: [[4]], barred: [[3]] })
})
