/** The type of what the server has answered about a selection. */

import type { SelectionSum } from '../../protocol/table-component.ts'
import type { Counted } from './selected-count.ts'

export type Answers = { readonly counted: Counted | null; readonly sums: readonly SelectionSum[] }

export const NO_ANSWERS: Answers = { counted: null, sums: [] }
