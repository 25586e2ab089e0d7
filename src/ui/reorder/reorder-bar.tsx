/** The bar above the rows: how many have been moved, and the buttons that save, cancel and take back. */

import type { ReorderMode, ReorderResult } from '../../protocol/reorder.ts'
import { usePage } from '../../react/use-component.ts'
import type { Listing } from '../list/use-listing.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import type { Order } from './use-order.ts'
import type { Saving } from './use-saving.ts'
import { say } from '../parts/say.ts'

type ReorderBarProps = {
  order: Order
  mode: ReorderMode
  listing: Listing
  saving: Saving
  /** How many moves are not saved, with the one that is being made. */
  count: number
  takeBack(): void
}

export function ReorderBar({
  order,
  mode,
  listing: { view, actions },
  saving,
  count,
  takeBack,
}: ReorderBarProps) {
  const { words } = mode
  const { locale } = usePage()
  const { moves, page } = order
  const isFar = mode.isDense && moves.some(({ from, to }) => Math.abs(from - to) > view.page.size)
  const trouble = troubleText(saving.result, words)
  return (
    <section className="bar mode" aria-label={words['region']}>
      <strong role="status">
        {count === 0
          ? words['unmoved']
          : count === 1
            ? words['movedOne']
            : say(words['moved'], count.toLocaleString(locale))}
      </strong>
      <span className="vr" />
      {trouble === null ? (
        <span className="second opt">
          <Shown
            text={
              page.count === null
                ? mode.order
                : say(words['span'], mode.order, page.count.toLocaleString(locale))
            }
          />
        </span>
      ) : (
        <span className="second" role="alert">
          {trouble}
        </span>
      )}
      {order.canTakeBack && (
        <button type="button" className="btn offered" onClick={takeBack}>
          <Icon name="undo" flip />
          <span className="t">{words['takeBack']}</span>
        </button>
      )}
      {isFar && (
        <span className="second dense">
          <span>{words['dense']}</span>
          <button
            type="button"
            className="btn line"
            disabled={saving.isBusy}
            onClick={() => void saving.spaceOut()}
          >
            {words['spaceOut']}
          </button>
        </span>
      )}
      <span className="sp" />
      <button
        type="button"
        className="btn"
        onClick={() => {
          order.forget()
          void actions.disableReordering()
        }}
      >
        {words['cancel']}
      </button>
      <button
        type="button"
        className="btn main"
        disabled={saving.isBusy}
        onClick={() => void saving.save(false)}
      >
        {words['save']}
      </button>
    </section>
  )
}

function troubleText(result: ReorderResult | null, words: ReorderMode['words']): string | null {
  if (result?.status === 'missing') return words['missing'] ?? ''
  if (result?.status === 'full') return words['full'] ?? ''
  return result?.status === 'refused' ? say(words['refused'], result.message ?? '') : null
}
