/** The mode in which rows are put in order; loaded when somebody enters it. */

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { OrderedPage, ReorderMode } from '../../protocol/reorder.ts'
import { usePage } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { LeavingGuard } from '../parts/leaving-guard.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Listing } from '../list/use-listing.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { dragRow } from './drag.ts'
import { HandleTips } from './handle-tips.tsx'
import { droppedRank, type PlacedRow } from './moves.ts'
import { OrderTable } from './order-table.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { ReorderBar } from './reorder-bar.tsx'
import { ReorderFoot } from './reorder-foot.tsx'
import { placedRows } from './order.ts'
import { type Order, useOrder } from './use-order.ts'
import { useSaving } from './use-saving.ts'
import { say } from '../parts/say.ts'

type ReorderProps = { component: string; listing: Listing; mode: ReorderMode }

/** Keys of a handle, beside Escape. */
const KEYS = [' ', 'ArrowUp', 'ArrowDown', 't', 'b', 'g']

/** A row that the keyboard has lifted, and where it was. */
type Lifted = { key: string; home: number }

export function Reorder({ component, listing, mode }: ReorderProps) {
  const { view } = listing
  const { words } = mode
  const { list } = useMessages()
  const { locale } = usePage()
  const isDragging = useRef(false)
  const isHeld = useCallback(() => isDragging.current, [])
  const order = useOrder(component, view, isHeld)
  /** How many moves there would be if the dragged row were dropped now. */
  const [over, setOver] = useState<number | null>(null)
  const [lifted, setLifted] = useState<Lifted | null>(null)
  // Keys that wait for a page act one after the other, before anything is drawn between them.
  const liftedNow = useRef(lifted)
  const lift = (next: Lifted | null) => {
    liftedNow.current = next
    setLifted(next)
  }
  /** The row that arrows have led to, for the keys that wait behind them. */
  const aim = useRef<PlacedRow | null>(null)
  const [asked, setAsked] = useState<PlacedRow | null>(null)
  const [told, setTold] = useState('')
  const saving = useSaving(order, listing, mode, setTold)
  const table = useRef<HTMLTableElement>(null)
  const focusOn = useFocusOn(table)
  useListedKeys(mode, () => focusOn(order.page.rows[0]?.[0]))
  const number = (value: number) => value.toLocaleString(locale)
  const tell = (word: string | undefined, row: PlacedRow, rank: number) =>
    setTold(say(word, row.label, number(rank)))

  const moveTo = (row: PlacedRow, to: number, word = words['dropped']) => {
    order.move(row, to)
    focusOn(row.key)
    tell(word, row, to)
  }
  const whenShown = (row: PlacedRow, act: (now: PlacedRow, page: OrderedPage) => void) =>
    order.whenShown(() => row, act)
  const lastPlace = async () =>
    order.page.count ?? (await order.call.orderLength().catch(() => undefined))
  const toBottom = async (row: PlacedRow) => {
    const last = await lastPlace()
    if (last !== undefined) whenShown(row, (now) => moveTo(now, last))
  }

  const takeBack = async () => {
    const row = await order.takeBack()
    if (!row) return
    tell(words['putBack'], row, row.rank)
    // The button has gone with the last step, and the focus with it.
    if (document.activeElement === document.body) focusOn(row.key)
  }

  const press = (row: PlacedRow, event: PointerEvent<HTMLElement>) =>
    dragRow(event, {
      begin() {
        isDragging.current = true
      },
      over(drop) {
        const target = placedRows(order.page).find(({ key }) => key === drop.key)
        const to = target && droppedRank(row.rank, target.rank, drop.after)
        setOver(to === undefined ? null : order.movesWith(row, to).length)
      },
      end(drop) {
        isDragging.current = false
        setOver(null)
        if (!drop) return void order.load()
        whenShown(row, (now, page) => {
          const target = placedRows(page).find(({ key }) => key === drop.key)
          if (target) moveTo(now, droppedRank(now.rank, target.rank, drop.after))
          else void order.load()
        })
      },
    })

  const actOn = (key: string, row: PlacedRow, page: OrderedPage) => {
    const isLifted = liftedNow.current?.key === row.key
    const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
    if (key === ' ') {
      lift(isLifted ? null : { key: row.key, home: row.rank })
      tell(isLifted ? words['dropped'] : words['lifted'], row, row.rank)
    } else if (step !== 0 && isLifted) {
      const to = row.rank + step
      const isBeyond = to > page.start + page.rows.length && !page.hasMore
      if (to >= 1 && !isBeyond) moveTo(row, to, words['now'])
    } else if (step !== 0) {
      const next = placedRows(page).find(({ rank }) => rank === row.rank + step)
      focusOn(next?.key)
      aim.current = next ?? row
    } else if (key === 'Escape' && liftedNow.current && isLifted) {
      const { home } = liftedNow.current
      lift(null)
      moveTo(row, home, words['putBack'])
    } else if (key === 't') moveTo(row, 1)
    else if (key === 'b' && page.count !== null) moveTo(row, page.count)
    else if (key === 'b') void toBottom(row)
    else if (key === 'g') setAsked(row)
  }

  const onKey = (row: PlacedRow, event: KeyboardEvent<HTMLElement>) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isOwn =
      key === 'Escape'
        ? liftedNow.current?.key === row.key || order.isWaiting()
        : KEYS.includes(key)
    if (!isOwn || ctrlKey || metaKey || altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (!order.isWaiting()) aim.current = null
    order.whenShown(
      () => aim.current ?? row,
      (now, page) => actOn(key, now, page),
    )
  }

  return (
    <>
      <LeavingGuard unsaved={unsavedText(order, mode, locale)} />
      <ReorderBar
        {...{ order, mode, listing, saving }}
        count={over ?? order.moves.length}
        takeBack={() => void takeBack()}
      />
      <div className="rows">
        <div className="scroller" tabIndex={0} role="region" aria-label={list.rows}>
          <OrderTable
            component={component}
            ref={table}
            view={view}
            order={order}
            mode={mode}
            liftedKey={lifted?.key}
            handle={{
              press,
              onKey,
              open: setAsked,
              // A lifted row that loses the focus stays where it is.
              onBlur: (row) => {
                if (liftedNow.current?.key === row.key && !isMoving(table.current, row.key))
                  lift(null)
              },
            }}
          />
        </div>
      </div>
      <HandleTips within={table} keys={words['keys'] ?? ''} />
      <ReorderFoot {...{ order, view, mode }} />
      <p className="sr" role="status">
        {told}
      </p>
      {asked && (
        <PlaceDialog
          row={asked}
          order={order}
          mode={mode}
          move={(to) => whenShown(asked, (row) => moveTo(row, to))}
          toBottom={() => void toBottom(asked)}
          onClose={() => setAsked(null)}
        />
      )}
      {saving.result?.status === 'conflict' && (
        <ConflictDialog
          changed={saving.result.changed}
          mode={mode}
          saveAnyway={() => void saving.save(true)}
          onClose={saving.lookAgain}
        />
      )}
    </>
  )
}

/**
 * The handles listen for their keys themselves; the dialog of all keys lists them. Where nothing has the focus,
 * as after the button that led here, an arrow begins at the first handle.
 */
function useListedKeys({ words }: ReorderMode, begin: () => void): void {
  const { keys } = useMessages()
  const line = (label: string | undefined, ...names: string[]) =>
    names.map((name) => ({
      ...{ label: label ?? '', keys: name, isKeyOnly: true },
      isAt: (target: Element) => target.matches('.grip'),
      run: () => undefined,
    }))
  const isAt = (target: Element) =>
    target.matches('.grip') || (scrollY === 0 && target.matches('body, h1'))
  useCommands(words['region'] ?? '', [
    ...line(keys.rows, 'ArrowDown', 'ArrowUp').map((one) => ({ ...one, isAt, run: begin })),
    ...line(words['keyLift'], 'Space'),
    ...line(words['keyMove'], 'ArrowDown', 'ArrowUp'),
    ...line(words['toTop'], 't'),
    ...line(words['toBottom'], 'b'),
    ...line(words['keyPosition'], 'g'),
    ...line(words['keyBack'], 'Escape'),
  ])
}

/** Whether the row's handle is only being drawn elsewhere, which takes the focus from it. */
const isMoving = (table: HTMLTableElement | null, key: string): boolean =>
  !document.hasFocus() || handleOf(table, key) === undefined

const handleOf = (table: HTMLTableElement | null, key: string): HTMLElement | undefined =>
  [...(table?.querySelectorAll<HTMLElement>('tr[data-row-key]') ?? [])]
    .find((row) => row.dataset['rowKey'] === key)
    ?.querySelector<HTMLElement>('.grip') ?? undefined

/** Returns a function that focuses the handle of a row, once it is drawn. */
function useFocusOn(table: { readonly current: HTMLTableElement | null }) {
  const wanted = useRef<string | undefined>(undefined)
  useEffect(() => {
    const handle =
      wanted.current === undefined ? undefined : handleOf(table.current, wanted.current)
    if (!handle || document.querySelector('dialog[open]')) return
    wanted.current = undefined
    handle.focus()
  })
  const [, draw] = useState(0)
  return useCallback((key: string | undefined) => {
    wanted.current = key
    draw((count) => count + 1)
  }, [])
}

/** What leaving the list would lose; `null` while all is saved. */
function unsavedText({ moves }: Order, { words }: ReorderMode, locale: string): string | null {
  if (moves.length === 0) return null
  if (moves.length === 1) return words['leavingOne'] ?? ''
  return say(words['leaving'], moves.length.toLocaleString(locale))
}
