/** Words for the range of rows and for their total, which may be an estimate. */

import type { Messages } from '../../messages/messages.ts'
import type { Pagination, Total } from '../../protocol/table-view.ts'

export const totalText = (total: Total, { total: words }: Messages['list']): string =>
  'text' in total ? words[total.kind](total.text) : words[total.kind]

/** Such as “26–50”; `null` if unknown. */
export const rangeText = (
  { range }: Pagination,
  { fromTo }: Pick<Messages['list'], 'fromTo'>,
): string | null => range && fromTo(...range)
