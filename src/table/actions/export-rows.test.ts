/** The chunks of an export are bounded by bytes, whatever its format. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { admin } from '../../../test/table-of.ts'
import { FILE_FORMATS, FIRST_EXPORT } from '../../protocol/export.ts'
import { ALL_SELECTED } from '../../protocol/selection.ts'
import { createCatalog } from '../catalog.ts'
import { LISTING } from '../list/fold.ts'
import type { Access } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { LinesQuery } from '../source/row-source.ts'
import { exportRows } from './export-rows.ts'

let data: OpenDataFile

beforeEach(async () => {
  data = await openDataFile('create table notes (id integer primary key, title text)')
})
afterEach(() => data.close())

const MB = 2 ** 20
const ROW_BYTES = 1000

test.each(FILE_FORMATS)(
  'of rows in no order of an index, %s holds 12 MB at most',
  async (format) => {
    const catalog = await createCatalog(data.source, {
      version: '1',
      grant: (_actor, { columns }) => ({
        ...{ actions: ['read'], rows: everything, writable: [] },
        readable: columns.map(({ name }) => name),
      }),
    })
    const open = { ...catalog.open(admin, 'notes'), prepared: {} }
    const asked: Pick<LinesQuery, 'size' | 'bytes'>[] = []
    const lines = async (_access: Access, { size, bytes }: LinesQuery) => {
      asked.push({ size, bytes })
      const pieces = [new Uint8Array(size * ROW_BYTES)]
      const next = asked.length < 4 ? ({ at: 'offset', skip: 0 } as const) : undefined
      return { pieces, rows: size, indexed: false, ...(next && { next }) }
    }
    const wanted = {
      ...{ ...FIRST_EXPORT, format, open, state: LISTING.state(), selected: ALL_SELECTED },
      ...{ clock: { now: 0, locale: 'en', timeZone: 'UTC' }, language: 'en' },
    }
    const signal = new AbortController().signal
    for await (const _ of exportRows(LISTING, wanted, { source: { lines }, signal })) continue
    expect(asked).toHaveLength(4)
    for (const { size, bytes } of asked) {
      expect(size * ROW_BYTES).toBeLessThanOrEqual(12 * MB)
      expect(bytes).toBeLessThanOrEqual(24 * MB)
    }
  },
)
