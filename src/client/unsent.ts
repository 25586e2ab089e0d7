/** What a component gives up when the document is loaded anew, and the next document goes on with. */

import type { Json } from '../protocol/json.ts'
import type { Loss } from './losses.ts'

export type Unsent = {
  readonly edits: readonly (readonly [path: string, value: Json, loss: Loss])[]
  readonly calls: readonly (readonly [method: string, params: Json[]])[]
}
