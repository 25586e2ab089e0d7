/** The unsent edits and calls that a component hands to the next document. */

import type { Json } from '../protocol/json.ts'
import type { Loss } from './losses.ts'

export type Unsent = {
  readonly edits: readonly (readonly [path: string, value: Json, loss: Loss])[]
  readonly calls: readonly (readonly [method: string, params: Json[]])[]
}
