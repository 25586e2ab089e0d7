/** Which rows these are, and how many there are in words that say how sure that is. */

import type { Messages } from '../../messages/messages.ts'
import type { Pagination, Total } from '../../protocol/table-view.ts'

export const totalText = (total: Total, { total: words }: Messages['list']): string =>
  'text' in total ? words[total.kind](total.text) : words[total.kind]

/** Such as “26–50”; `null` where that is not known. */
export const rangeText = (
  { range }: Pagination,
  { fromTo }: Pick<Messages['list'], 'fromTo'>,
): string | null => range && fromTo(...range)
