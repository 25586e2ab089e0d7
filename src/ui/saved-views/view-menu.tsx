/** The menu of saved views beside a list's title, and the tabs of those that stand there for everyone. */

import { type ToggleEvent, useState } from 'react'
import {
  ALL_ROWS,
  type SavedView,
  VIEW_PARAM,
  type ViewCounts,
  viewHref,
} from '../../protocol/saved-views.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { laterPart } from '../later-part.tsx'
import type { ListingActions } from '../list/use-listing.ts'
import { listWork } from '../list/use-list-work.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { SheetHead } from '../parts/sheet-head.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { type OpenView, useOpenView } from './open-view.ts'

const CountViews = laterPart(async () => (await listWork.load()).CountViews)
const ViewActs = laterPart(async () => (await listWork.load()).ViewActs)
const ViewCommands = laterPart(async () => (await listWork.load()).ViewCommands)
const ViewDialogs = laterPart(async () => (await import('./view-dialogs.tsx')).ViewDialogs)

/** What is asked about views: a new one, or all of them. */
export type ViewAsk = 'new' | 'all'

type Props = { view: TableView; actions: ListingActions }

const MENU_ID = 'views-menu'

export function ViewMenu({ view: list, actions }: Props) {
  const { views: words } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const [asked, ask] = useState<ViewAsk | null>(null)
  const [counts, setCounts] = useState<ViewCounts>({})
  const open = useOpenView(list)
  const { current, differs, views } = open
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    setOpen(newState === 'open')
    if (newState === 'open')
      currentTarget.querySelector<HTMLElement>('[aria-current], .item')?.focus()
  }
  return (
    <>
      <button
        type="button"
        className="btn viewbtn"
        popoverTarget={MENU_ID}
        aria-haspopup="dialog"
        aria-description={words.title}
      >
        <span className="vt">
          <Shown text={current?.name ?? (isWhole(list) ? words.allRows : words.title)} />
        </span>
        {current && differs && (
          <span className="dot">
            <span className="sr">{words.changed}</span>
          </span>
        )}
        <Icon name="open" />
      </button>
      <div
        id={MENU_ID}
        className="menu below views"
        popover="auto"
        role="dialog"
        aria-label={words.title}
        onToggle={onToggle}
      >
        <SheetHead title={words.title} closes={MENU_ID} />
        <ul>
          <li>
            <a
              className="item"
              href={allHref(list, open)}
              aria-current={(!current && isWhole(list)) || undefined}
            >
              <span className="vn">{words.allRows}</span>
              <CountOf id={ALL_ROWS} counts={counts} />
            </a>
          </li>
        </ul>
        <Views title={words.own} views={views.filter(isOwn)} {...{ list, open, counts }} />
        <Views
          title={words.shared}
          views={views.filter((one) => !isOwn(one))}
          {...{ list, open, counts }}
        />
        {isOpen && <CountViews about="" onCounts={setCounts} />}
        {isOpen && <ViewActs open={open} ask={ask} />}
      </div>
      <ViewCommands ask={ask} />
      {asked && <ViewDialogs {...{ asked, list, open, actions }} onClose={() => ask(null)} />}
    </>
  )
}

const isOwn = ({ isShared }: SavedView) => !isShared

/** Whether nothing leaves out rows, but what a list of the table leaves out by itself. */
const isWhole = ({ search, filters: { chips } }: TableView) =>
  search === '' && chips.every(({ removed }) => removed)

/** Where the table shows all rows, whatever it opens with. */
const allHref = ({ href }: TableView, { opensWith }: OpenView) =>
  opensWith === null ? href : `${href}?${VIEW_PARAM}=${ALL_ROWS}`

type ViewsProps = {
  title: string
  views: readonly SavedView[]
  list: TableView
  open: OpenView
  counts: ViewCounts
}

function Views({ title, views, list, open: { current, opensWith }, counts }: ViewsProps) {
  const { views: words } = useMessages()
  if (views.length === 0) return null
  return (
    <>
      <h2 className="cap">{title}</h2>
      <ul aria-label={title}>
        {views.map((view) => (
          <li key={view.id}>
            <a
              className="item"
              href={viewHref(list.href, view)}
              aria-current={view.id === current?.id || undefined}
            >
              <span className="vn">
                <Shown text={view.name} />
              </span>
              {view.id === opensWith && <small>{words.opensWith}</small>}
              {view.by !== undefined && (
                <small>
                  <Shown text={view.by} />
                </small>
              )}
              {view.isNarrowed && <small>{words.narrowed}</small>}
              <CountOf id={view.id} counts={counts} />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Nothing until it is counted. */
const CountOf = ({ id, counts }: { id: string; counts: ViewCounts }) =>
  counts[id] !== undefined && (
    <>
      {' '}
      <span className="n">{counts[id]}</span>
    </>
  )

/** Tabs are counted anew where another view is opened, or where as many rows as one finds are others. */
const aboutTabs = ({ total }: TableView, { current, differs }: OpenView): string =>
  JSON.stringify([current?.id, !differs && 'count' in total ? total.count : null])

/** Nothing where no view stands as a tab. */
export function ViewTabs({ view: list }: { view: TableView }) {
  const { views: words } = useMessages()
  const open = useOpenView(list)
  const [counts, setCounts] = useState<ViewCounts>({})
  const tabs = open.views.filter(({ isTab }) => isTab)
  if (tabs.length === 0) return null
  const { current } = open
  return (
    <nav className="tabs" aria-label={words.title}>
      <a href={allHref(list, open)} aria-current={!current && isWhole(list) ? 'page' : undefined}>
        {words.all}
      </a>
      {tabs.map((view) => (
        <a
          key={view.id}
          href={viewHref(list.href, view)}
          aria-current={view.id === current?.id ? 'page' : undefined}
        >
          <Shown text={view.name} />
          <CountOf id={view.id} counts={counts} />
        </a>
      ))}
      <CountViews about={aboutTabs(list, open)} onCounts={setCounts} />
    </nav>
  )
}
