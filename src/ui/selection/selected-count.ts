/** How many rows are selected, in words, and whether those are all. */

import type { Messages } from '../../messages/messages.ts'
import { isNone, keysOf, type Selected } from '../../protocol/selection.ts'
import type { Total } from '../../protocol/table-view.ts'
import type { SelectedCount } from '../../protocol/table-component.ts'
import { totalText } from '../list/total-text.ts'

/** The server's count of one selection. */
export type Counted = { readonly of: Selected; readonly count: SelectedCount }

export type CountText = {
  readonly text: string
  /** Whether as many are selected as there are rows. */
  readonly isAll: boolean
}

type Words = Pick<Messages, 'list' | 'selection'>

/**
 * The server's count, where it has counted this selection; until then what was picked from rows that
 * matched. All, without exceptions, are always as many as there are.
 */
export function countText(
  selected: Selected,
  total: Total,
  counted: Counted | null,
  { list, selection }: Words,
  locale: string,
): CountText {
  const most = total.kind === 'exact' || total.kind === 'estimate' ? total.count : null
  const named = keysOf(selected).length
  if (!Array.isArray(selected) && named === 0)
    return { text: 'text' in total ? totalText(total, list) : selection.all, isAll: true }
  const known = counted?.of === selected && 'count' in counted.count ? counted.count : null
  const count =
    known?.count ?? (Array.isArray(selected) ? named : most === null ? null : most - named)
  if (count === null) return { text: selection.allBut(named.toLocaleString(locale)), isAll: false }
  const kind =
    known?.kind ?? (!Array.isArray(selected) && total.kind === 'estimate' ? total.kind : 'exact')
  const text = list.total[kind](known?.text ?? Math.max(0, count).toLocaleString(locale))
  return { text, isAll: !isNone(selected) && count === most }
}
