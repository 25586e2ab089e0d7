/** The mode in which rows are put in order; loaded when somebody enters it. */

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { OrderedPage, ReorderMode, ReorderResult } from '../../protocol/reorder.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { Icon } from '../parts/icon.tsx'
import { LeavingGuard } from '../parts/leaving-guard.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { totalText } from '../list/total-text.ts'
import type { Listing } from '../list/use-listing.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { dragRow } from './drag.ts'
import { HandleTips } from './handle-tips.tsx'
import { droppedRank, type PlacedRow } from './moves.ts'
import { OrderTable } from './order-table.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { type Order, placedRows, useOrder } from './use-order.ts'
import { say } from './words.ts'

type ReorderProps = { component: string; listing: Listing; mode: ReorderMode }

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
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const [asked, setAsked] = useState<PlacedRow | null>(null)
  const [told, setTold] = useState('')
  const saving = useSaving(order, listing, mode, setTold)
  const table = useRef<HTMLTableElement>(null)
  const focusOn = useFocusOn(table)
  useListedKeys(mode)
  const number = (value: number) => value.toLocaleString(locale)
  const tell = (word: string | undefined, row: PlacedRow, rank: number) =>
    setTold(say(word, row.label, number(rank)))

  const moveTo = (row: PlacedRow, to: number, word = words['dropped']) => {
    order.move(row, to)
    focusOn(row.key)
    tell(word, row, to)
  }
  const lastPlace = async () =>
    order.page.count ?? (await order.call.orderLength().catch(() => undefined))
  const toBottom = async (row: PlacedRow) => {
    const last = await lastPlace()
    if (last !== undefined) void order.whenShown(row, (now) => moveTo(now, last))
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
      end(drop) {
        isDragging.current = false
        if (!drop) return void order.load()
        void order.whenShown(row, (now, page) => {
          const target = placedRows(page).find(({ key }) => key === drop.key)
          if (target) moveTo(now, droppedRank(now.rank, target.rank, drop.after))
        })
      },
    })

  /** What a key does at a handle, if it does anything. */
  const actionOf = (key: string, isLifted: boolean) => {
    const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
    if (key === ' ')
      return (row: PlacedRow) => {
        setLifted(isLifted ? null : { key: row.key, home: row.rank })
        tell(isLifted ? words['dropped'] : words['lifted'], row, row.rank)
      }
    if (step !== 0 && isLifted)
      return (row: PlacedRow, page: OrderedPage) => {
        const to = row.rank + step
        const isBeyond = to > page.start + page.rows.length && !page.hasMore
        if (to >= 1 && !isBeyond) moveTo(row, to, words['now'])
      }
    if (step !== 0)
      return (row: PlacedRow, page: OrderedPage) =>
        focusOn(placedRows(page).find(({ rank }) => rank === row.rank + step)?.key)
    if (key === 'Escape' && lifted && isLifted)
      return (row: PlacedRow) => {
        setLifted(null)
        moveTo(row, lifted.home, words['putBack'])
      }
    if (key === 't') return (row: PlacedRow) => moveTo(row, 1)
    if (key === 'b') return (row: PlacedRow) => void toBottom(row)
    return key === 'g' ? setAsked : undefined
  }

  const onKey = (row: PlacedRow, event: KeyboardEvent<HTMLElement>) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const act = actionOf(key, lifted?.key === row.key)
    if (!act || ctrlKey || metaKey || altKey) return
    event.preventDefault()
    event.stopPropagation()
    void order.whenShown(row, act)
  }

  return (
    <>
      <LeavingGuard unsaved={unsavedText(order, mode, locale)} />
      <Bar {...{ order, mode, listing, saving }} takeBack={() => void takeBack()} />
      <div className="rows">
        <div className="scroller" tabIndex={0} role="region" aria-label={list.rows}>
          <OrderTable
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
                if (lifted?.key === row.key && !isMoving(table.current, row.key)) setLifted(null)
              },
            }}
          />
        </div>
      </div>
      <HandleTips within={table} keys={words['keys'] ?? ''} />
      <Foot {...{ order, view, mode }} />
      <p className="sr" role="status">
        {told}
      </p>
      {asked && (
        <PlaceDialog
          row={asked}
          order={order}
          mode={mode}
          move={(to) => void order.whenShown(asked, (row) => moveTo(row, to))}
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

/** The handles listen for their keys themselves; the dialog of all keys lists them. */
function useListedKeys({ words }: ReorderMode): void {
  const { keys } = useMessages()
  const line = (label: string | undefined, ...names: string[]) =>
    names.map((name) => ({
      ...{ label: label ?? '', keys: name, isKeyOnly: true },
      isAt: (target: Element) => target.matches('.grip'),
      run: () => undefined,
    }))
  useCommands(words['region'] ?? '', [
    ...line(keys.rows, 'ArrowDown', 'ArrowUp'),
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

type Saving = ReturnType<typeof useSaving>

function useSaving(
  order: Order,
  { actions }: Listing,
  { words, keyName, column }: ReorderMode,
  tell: (text: string) => void,
) {
  const notify = useNotify()
  const { locale } = usePage()
  const [result, setResult] = useState<ReorderResult | null>(null)
  const [isBusy, setBusy] = useState(false)

  /** Puts the rows back to where they were before. */
  const undo = (moves: Order['moves']) => async () => {
    const list = moves.map(({ key, from }) => ({ [keyName]: key, [column]: from }))
    const undone = await actions.storeReorder(list)
    if (undone) notify((undone.status === 'done' ? words['undone'] : words['notUndone']) ?? '')
  }

  async function save(isAnyway: boolean): Promise<void> {
    const { moves } = order
    setBusy(true)
    setResult(null)
    // The page's failure display says what went wrong.
    const saved = await order.save(keyName, column, isAnyway).catch(() => null)
    setBusy(false)
    setResult(saved)
    if (saved?.status === 'done') {
      const count = moves.length.toLocaleString(locale)
      order.forget()
      notify(moves.length === 1 ? (words['savedOne'] ?? '') : say(words['saved'], count), {
        label: words['undo'] ?? '',
        run: () => void undo(moves)(),
      })
    }
    if (saved?.status === 'missing') order.drop(saved.keys)
    if (saved?.status === 'conflict') tell(words['conflict'] ?? '')
  }

  return {
    result,
    isBusy,
    save,
    lookAgain() {
      setResult(null)
      order.lookAgain()
    },
    async spaceOut() {
      setBusy(true)
      const spaced = await actions.spaceOutPositions()
      setBusy(false)
      setResult(spaced?.status === 'done' ? null : (spaced ?? null))
      if (spaced?.status === 'done') notify(words['spacedOut'] ?? '')
    },
  }
}

type BarProps = {
  order: Order
  mode: ReorderMode
  listing: Listing
  saving: Saving
  takeBack(): void
}

function Bar({ order, mode, listing: { view, actions }, saving, takeBack }: BarProps) {
  const { words } = mode
  const { locale } = usePage()
  const { moves, page } = order
  const count = moves.length
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
        onClick={() => (count === 0 ? void actions.disableReordering() : void saving.save(false))}
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

type FootProps = { order: Order; view: TableView; mode: ReorderMode }

function Foot({ order, view, mode: { words } }: FootProps) {
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
