/** What the foot of a table says of the selected rows. */

import type { SelectionSum } from '../../protocol/table-component.ts'

export type SelectedSums = {
  /** How many rows are selected. */
  readonly text: string
  /** Their sums, as far as they have come. */
  readonly sums: readonly SelectionSum[]
}
