/** Memoizes cells, for kinds whose formatting costs more than reading the row. */

import type { Cell } from '../../protocol/table-view.ts'
import { memoize } from '../../server/memoize.ts'
import type { CellWriter, WrittenValue } from './kind.ts'

/** Different values that are memoized for each kind and reader. */
const VALUES_MAX = 5000

/** Pages repeat values, so `format` runs once for each, as long as there are not too many. */
export const memoizeCells = (format: (value: WrittenValue) => Cell): CellWriter =>
  memoize(VALUES_MAX, format)
