/** Remembers how values are written, for kinds where that costs more than reading the row did. */

import type { Cell } from '../../protocol/table-view.ts'
import { remember } from '../../server/remember.ts'
import type { CellWriter, WrittenValue } from './kind.ts'

/** Different values that are remembered for each kind and reader. */
const VALUES_MAX = 5000

/** Pages repeat values: `write` is asked once for each, as long as there are not too many. */
export const written = (write: (value: WrittenValue) => Cell): CellWriter =>
  remember(VALUES_MAX, write)
