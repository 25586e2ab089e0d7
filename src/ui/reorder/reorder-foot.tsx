/** The foot below the rows: which are shown, the keys of their handles, and the other pages. */

import type { ReorderMode } from '../../protocol/reorder.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { totalText } from '../list/total-text.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Order } from './use-order.ts'

type ReorderFootProps = { order: Order; view: TableView; mode: ReorderMode }

export function ReorderFoot({ order, view, mode: { words } }: ReorderFootProps) {
  const { list } = useMessages()
  const { locale } = usePage()
  const { page, number, pages } = order
  const text = (value: number) => value.toLocaleString(locale)
  const range = list.fromTo(text(page.start + 1), text(page.start + page.rows.length))
  const total = page.count === null ? totalText(view.total, list) : text(page.count)
  return (
    <footer className="foot">
      <span>{list.range(range, total)}</span>
      <span className="hints" aria-hidden="true">
        <kbd>Space</kbd> {words['lift']} <kbd>↑</kbd>
        <kbd>↓</kbd> {words['arrows']} <kbd>T</kbd> {words['top']} <kbd>B</kbd> {words['bottom']}{' '}
        <kbd>G</kbd> {words['position']} <kbd>Esc</kbd> {words['back']}
      </span>
      <nav className="pager" aria-label={list.pagination}>
        <span className="at">
          {pages === null ? list.page(text(number)) : list.pageOf(text(number), text(pages))}
        </span>
        <PageButton
          place="previous"
          isOff={number === 1}
          turn={() => void order.turnTo(number - 1)}
        />
        <PageButton place="next" isOff={!page.hasMore} turn={() => void order.turnTo(number + 1)} />
      </nav>
    </footer>
  )
}

type PageButtonProps = { place: 'previous' | 'next'; isOff: boolean; turn(): void }

/** At an end it stays, so that the focus is not lost. */
function PageButton({ place, isOff, turn }: PageButtonProps) {
  const { list } = useMessages()
  return (
    <button
      type="button"
      className="btn icon"
      aria-label={list[`${place}Page`]}
      aria-disabled={isOff}
      onClick={() => isOff || turn()}
    >
      <Icon name={place} flip />
    </button>
  )
}
