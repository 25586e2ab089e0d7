/** What the queries of filters are asked with in tests. */

import type { OpenTable } from '../src/table/catalog.ts'
import type { Asking } from '../src/table/filters/ask.ts'
import type { RowSource } from '../src/table/source/row-source.ts'

export const askingOf = (open: OpenTable, source: RowSource): Asking => ({
  open,
  source,
  reader: { language: 'en', locale: 'en-US' },
  signal: new AbortController().signal,
})
