/** The foot of a listing: the range of rows, whether it is live, the page size, and links to other pages. */

import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { usePage } from '../../react/use-component.ts'
import { useLoading } from '../../react/use-loading.ts'
import { laterPart } from '../later-part.tsx'
import { useIsLive } from '../use-loaded.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useNotify } from '../parts/toasts.tsx'
import { PageLinks } from './page-links.tsx'
import { rangeText, totalText } from './total-text.ts'
import type { ListingActions } from './use-listing.ts'
import { usePending } from './use-pending.ts'

type ListFootProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  actions: ListingActions
}

const LiveStatus = laterPart(
  async () => (await import('../live/live-work.ts')).LiveStatus,
  function NotLive() {
    const { live } = useMessages()
    return (
      <span className="live" role="status">
        {live.away}
      </span>
    )
  },
)

export function ListFoot({ component, view, actions }: ListFootProps) {
  const { list } = useMessages()
  const notify = useNotify()
  const range = rangeText(view.page, list)
  const total = 'text' in view.total ? totalText(view.total, list) : null
  return (
    <footer className="foot">
      <span>{range && total ? list.range(range, total) : (range ?? total)}</span>
      {useIsLive() && <LiveStatus />}
      <PageSize component={component} view={view} actions={actions} />
      <PageLinks
        component={component}
        page={view.page}
        href={view.href}
        params={view.params}
        turn={(place) =>
          void actions.turnPage(place).then((text) => {
            if (text) notify(text)
          })
        }
      />
    </footer>
  )
}

/** Where rows are cards, the menu “Display” has it. */
export function PageSize({ component, view, actions }: ListFootProps) {
  const isChanging = useLoading<TableComponent>(component, { action: 'setSize', delay: 'short' })
  const { list } = useMessages()
  const { locale } = usePage()
  const [size, choose] = usePending(view.page.size, (value) => actions.setSize(value))
  return (
    <form className="size" action={view.href}>
      <HiddenInputs params={view.params} except="size" />
      <label>
        <span className="t">{list.rowsPerPage}</span>
        <select
          className="in quiet"
          name="size"
          value={size}
          aria-busy={isChanging || undefined}
          onChange={(event) => choose(Number(event.target.value))}
        >
          {view.page.sizes.map((option) => (
            <option key={option} value={option}>
              {option.toLocaleString(locale)}
            </option>
          ))}
        </select>
      </label>
      <noscript>
        <button type="submit" className="btn line">
          {list.apply}
        </button>
      </noscript>
    </form>
  )
}
