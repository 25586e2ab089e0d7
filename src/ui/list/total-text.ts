/** How many rows there are, in words that say how sure that is. */

import type { Messages } from '../../messages/messages.ts'
import type { Total } from '../../protocol/table-view.ts'

export const totalText = (total: Total, { total: words }: Messages['list']): string =>
  'text' in total ? words[total.kind](total.text) : words[total.kind]
