/** The menu of a column's head, of its cells and of rows: edits the cell, filters by its value, or sets the column's filter. */

import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FilterOffer } from '../../protocol/filters.ts'
import type { ColumnView, TableView } from '../../protocol/table-view.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { isMac } from '../commands/is-mac.ts'
import { capsOf } from '../commands/key-caps.ts'
import { VerbItems } from '../bulk/use-bulk.tsx'
import type { Verb } from '../bulk/verbs.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { SheetHead } from '../parts/sheet-head.tsx'
import type { ListingActions } from '../list/use-listing.ts'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { ColumnAbout } from '../columns/column-about.tsx'
import { ColumnItems } from '../columns/column-items.tsx'
import { useCorrectLink } from '../corrections/correct-context.ts'
import { rowText } from '../copying/row-text.ts'
import { FilterFields } from './filter-fields.tsx'
import { isInOpenMenu } from './open-menu.ts'
import { useFilters } from './use-filters.ts'

export type FilterMenuProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  actions: ListingActions
  /** The column's filter; absent where it has none. */
  offer: FilterOffer | undefined
  /** The column of a head; absent for a cell. */
  column?: ColumnView | undefined
  /** Edits the cell; absent where it takes no changes. */
  edit?: (() => void) | undefined
  /** Copies the cell; absent for a head, and for a row as such. */
  copy?: (() => void) | undefined
  /** The head or the cell that it belongs to. */
  owner: HTMLTableCellElement
  /** Key of the cell's row; absent for a head. */
  row?: string | undefined
  /** What can be done with the cell's row; `false` for a head, and where the row has no page. */
  ofRow: RowActs | false
  close(): void
}

export type RowActs = {
  readonly verbs: readonly Verb[]
  change(verb: Verb): void
  /** Shows it beside the list. */
  peek(): void
  /** The address of its page. */
  readonly href: string
  copyRow(write: typeof rowText): void
  copyLink(): void
}

export function FilterMenu(props: FilterMenuProps) {
  const { component, view, actions, offer, column, edit, copy, owner, row, ofRow, close } = props
  const { filters: words, record, editing } = useMessages()
  const { copying, row: thisRow } = useBulkWords()
  const notify = useNotify()
  const filters = useFilters(component, view)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  const correction = useCorrectLink(view, column?.name ?? null)
  const [isSetting, setSetting] = useState(row === undefined)
  useLayoutEffect(() => {
    menu.current?.showPopover()
    if (menu.current) place(menu.current, owner.querySelector('.rowmenu') ?? owner)
  }, [owner, isSetting])
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>(FIRST)?.focus()
  }, [isSetting])
  useClosing(menu, owner, close)
  const label = offer?.label ?? column?.label
  const title = label === undefined ? thisRow : words.menu(label)
  // As the row begins, which the sheet covers on a phone.
  const named = label === undefined && owner.closest('tr')?.querySelector('.row-link')?.textContent
  const leave = () => {
    close()
    focusOn(owner)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isInOpenMenu(event.target)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') leave()
    else if (step !== undefined && !isSetting) moveBy(event.currentTarget, step)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const byCell = (how: 'in' | 'notIn') => {
    leave()
    if (row === undefined || !offer) return
    void actions
      .filterByCell(row, offer.column ?? offer.key, how)
      .then((wasThere) => wasThere === false && notify(record.goneTitle))
  }
  return (
    <div
      ref={menu}
      id={MENU_ID}
      className="menu filtermenu"
      popover="manual"
      {...(isSetting && {
        role: 'dialog',
        'aria-label': title,
        'aria-describedby': column ? id : undefined,
      })}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => newState === 'closed' && leave()}
    >
      <SheetHead title={named || title} closes={MENU_ID} />
      {isSetting ? (
        <>
          {column && <ColumnAbout id={id} component={component} name={column.name} />}
          {offer && (
            <FilterFields
              offer={offer}
              value={filters.valueOf(offer.key)}
              change={(value) => filters.change({ key: offer.key }, value)}
              param={() => undefined}
              ask={filters.ask}
              errors={filters.errorsOf(offer.key)}
            />
          )}
          {column && <ColumnItems {...{ head: owner, column, view, actions, leave }} />}
          {column && view.correct && <hr />}
          {column && view.correct && (
            <a className="item" {...correction}>
              {view.correct.column}
            </a>
          )}
        </>
      ) : (
        <div className="later" role="menu" aria-label={title}>
          {offer && (
            <p className="cap" role="presentation">
              <Shown text={offer.label} />
            </p>
          )}
          {edit && (
            <button
              type="button"
              role="menuitem"
              className="item"
              onClick={() => {
                close()
                edit()
              }}
            >
              {editing.edit}
            </button>
          )}
          {offer &&
            (['in', 'notIn'] as const).map((how) => (
              <button
                key={how}
                type="button"
                role="menuitem"
                className="item"
                onClick={() => byCell(how)}
              >
                {how === 'in' ? words.only : words.allBut}
              </button>
            ))}
          {offer && (
            <button type="button" role="menuitem" className="item" onClick={() => setSetting(true)}>
              {words.set}
            </button>
          )}
          {copy && (
            <button
              type="button"
              role="menuitem"
              className="item"
              onClick={() => {
                leave()
                copy()
              }}
            >
              {copying.cell}
              <span className="end" aria-hidden="true">
                {capsOf('Mod+c', isMac()).map((cap) => (
                  <kbd key={cap}>{cap}</kbd>
                ))}
              </span>
            </button>
          )}
          {ofRow && <OfRow acts={ofRow} leave={leave} isAlone={!copy} />}
        </div>
      )}
    </div>
  )
}

const MENU_ID = 'filter-menu'

type OfRowProps = {
  acts: RowActs
  leave(): void
  /** Whether nothing stands above it. */
  isAlone: boolean
}

function OfRow({ acts, leave, isAlone }: OfRowProps) {
  const words = useBulkWords()
  const then = (act: () => void) => () => {
    leave()
    act()
  }
  const items: readonly [icon: IconName, label: string, act: () => void, cap?: string][] = [
    ['display', words.peek.open, acts.peek, 'Space'],
    ['link', words.copying.link, acts.copyLink],
    ['copy', words.copying.row, () => acts.copyRow(rowText)],
  ]
  return (
    <>
      {!isAlone && (
        <>
          <hr />
          <p className="cap" role="presentation">
            {words.row}
          </p>
        </>
      )}
      <a role="menuitem" className="item" href={acts.href}>
        <Icon name="next" flip />
        {words.openRow}
      </a>
      {items.map(([icon, label, act, cap]) => (
        <button key={label} type="button" role="menuitem" className="item" onClick={then(act)}>
          <Icon name={icon} />
          {label}
          {cap !== undefined && (
            <span className="end" aria-hidden="true">
              <kbd>{cap}</kbd>
            </span>
          )}
        </button>
      ))}
      {acts.verbs.length > 0 && <hr />}
      <VerbItems
        verbs={acts.verbs}
        choose={(verb) => then(() => acts.change(verb))()}
        hasKeys={false}
      />
    </>
  )
}

const FIRST =
  ':is(input, button, select, textarea, [role=menuitem]):not(.op, [type="hidden"], header *)'

/** Closes what is left by the pointer or the focus. */
function useClosing(
  menu: { readonly current: HTMLElement | null },
  owner: HTMLElement,
  close: () => void,
): void {
  const current = useRef(close)
  useEffect(() => {
    current.current = close
  })
  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (!(target instanceof Node) || menu.current?.contains(target)) return
      // The button of a row closes it by its click.
      if (!owner.querySelector('.rowmenu')?.contains(target)) current.current()
    }
    const over = new AbortController()
    for (const name of ['pointerdown', 'focusin'] as const)
      document.addEventListener(name, outside, { signal: over.signal })
    return () => over.abort()
  }, [menu, owner])
}

/** The button of a head's or a row's menu, or the cell itself. */
function focusOn(owner: HTMLElement): void {
  const target = owner.querySelector<HTMLElement>('.headmenu, .rowmenu') ?? owner
  if (target === owner) target.tabIndex = -1
  target.focus()
}

function moveBy(menu: HTMLElement, step: number): void {
  const items = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = items.findIndex((item) => item === document.activeElement)
  items.at((at + step) % items.length)?.focus()
}

/** Below its owner, inside the window. */
function place(menu: HTMLElement, owner: Element): void {
  const { left, right, bottom, top } = owner.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const isRtl = document.documentElement.dir === 'rtl'
  const start = isRtl ? right - width : left
  const below = bottom + height > clientHeight ? top - height : bottom
  menu.style.left = `${Math.max(5, Math.min(start, clientWidth - width - 5))}px`
  menu.style.top = `${Math.max(5, Math.min(below, clientHeight - height - 5))}px`
}
