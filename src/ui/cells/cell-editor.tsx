/** One cell that is being edited: the field of its column over the value, or as a sheet where there is no room. */

import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { labelOfRow, type TableView } from '../../protocol/table-view.ts'
import { ariaKeys } from '../commands/key-caps.ts'
import { playEarlyKeys } from '../early-keys.ts'
import { focusCell, focusedPlace } from '../list/table-keys.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Control } from '../record/field-input.tsx'
import { CLEAR_KEYS, isClearing, isLong, type Step, stepOf, stopsIn, tabFrom } from './cell-keys.ts'
import { CellPop } from './cell-pop.tsx'
import type { OpenCell } from './cell-work.tsx'
import { type CellPlace, cellAtPlace } from './places.ts'
import { useCell } from './use-cell.ts'
import { type CellPosition, useCellPosition } from './use-cell-position.ts'

/** What the list knows of an open editor. */
export type CellState = {
  readonly isDirty: boolean
  readonly canClear: boolean
  readonly refused: Refused | null
}

/** A value that was not saved: the name of its cell, and the way to it. */
export type Refused = { readonly name: string; focus(): void }

type Props = {
  /** Id of the listing. */
  component: string
  table: { readonly current: HTMLTableElement | null }
  view: TableView
  place: OpenCell
  tell(place: CellPlace, state: CellState | null): void
  close(place: CellPlace): void
}

export function CellEditor({ component, table, view, place, tell, close }: Props) {
  const { cells, editing, failures } = useMessages()
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  /** Where to go on once what was typed, and finished, before the field was there is saved. */
  const waiting = useRef<Step | null>(null)
  const label = view.columns.find(({ name }) => name === place.column)?.label ?? place.column
  const found = view.rows.find(([key]) => key === place.row)
  const name = cells.name(label, found ? labelOfRow(found) : place.row)
  const cell = useCell({ component, place, close: () => close(place) })
  const { field, text, label: chosen, step, problem, conflict } = cell
  const position = useCellPosition(root, table, place)
  const isModal = position === 'sheet'
  useFieldFocus(root, cell)
  const focus = () => root.current?.querySelector<HTMLElement>('.in')?.focus()
  const isAsked = Boolean(problem || conflict)
  const canClear = Boolean(field?.nullable && field.takesEmpty && text !== null)
  useTold(tell, place, { isDirty: cell.isDirty, canClear, name: isAsked ? name : null, focus })

  /** The focus goes on at once, but stays in a sheet until all is done; what is refused calls it back. */
  const settle = (saving: Promise<boolean>, go?: Step) => {
    if (go && !isModal) move(table, place, go)
    void saving.then((isSaved) => {
      if (isSaved) return isModal && move(table, place, {})
      const now = document.activeElement
      if (now === document.body || now?.closest('tbody') != null) focus()
    })
  }
  const save = (go?: Step) => {
    // Once the field is there.
    if (step === 'asking') return void (waiting.current = go ?? {})
    settle(cell.save(), go)
  }
  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
    const go = step === 'open' ? waiting.current : null
    if (go === null) return
    waiting.current = null
    save(go)
  })
  useEffect(() => {
    // A calendar that goes takes the focus with it, so that the field is never told that it was left.
    const onPress = ({ target }: PointerEvent) => {
      const isOutside = target instanceof Node && !root.current?.contains(target)
      if (isOutside && step === 'open' && hasLeft(position)) latestSave.current()
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => document.removeEventListener('pointerdown', onPress, true)
  }, [step, position])
  const revert = () => {
    cell.revert()
    move(table, place, {})
  }
  const clear = () => {
    cell.change(null)
    focus()
  }
  const onTab = (event: KeyboardEvent, isField: boolean) => {
    const { activeElement: target } = document
    const [stops, isBack] = [stopsIn(root.current), event.shiftKey]
    const to = tabFrom(target, stops, { isBack, isField, isAsked, isModal })
    if (to === null) return
    event.preventDefault()
    const step = { cells: isBack ? -1 : 1 }
    if (to === 'around') stops.at(isBack ? -1 : 0)?.focus()
    else if (isAsked) move(table, place, step)
    else save(step)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    // What is typed here is for no command of the list; the palette opens from anywhere.
    if (key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) event.stopPropagation()
    // The list of a choice has keys of its own.
    if (event.nativeEvent.isComposing || event.target instanceof HTMLOptionElement) return
    // Buttons and a calendar have keys of their own.
    const isField =
      event.target instanceof Element && event.target.matches('.cell-field .in:not(.calpop *)')
    const go = isField ? stepOf(event, field?.control.is) : null
    if (key === 'Tab') return onTab(event, isField)
    if (key === 'Escape') revert()
    else if (isField && canClear && isClearing(event)) clear()
    // A related row may have been chosen by the same key.
    else if (go) latestSave.current(go)
    else return
    event.preventDefault()
  }
  const describedBy = [problem && `${id}-why`, conflict && `${id}-choice`, field && `${id}-keys`]
    .filter(Boolean)
    .join(' ')
  const isOfLines = isLong(field?.control.is)
  return (
    <div
      ref={root}
      role={isModal ? 'dialog' : 'group'}
      aria-modal={isModal || undefined}
      aria-label={name}
      className={[
        ...['cell-edit', problem && 'refused', isOfLines && 'long', position],
        position === 'apart' && 'sheet',
      ]
        .filter(Boolean)
        .join(' ')}
      data-control={field?.control.is}
      aria-busy={step === 'asking' || step === 'saving' || undefined}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside && document.hasFocus() && step === 'open' && hasLeft(position)) save()
      }}
      onClick={({ target, currentTarget }) => {
        // Beside a sheet; what was typed is put back by its button alone.
        if (isModal && target === currentTarget.firstElementChild && !cell.isDirty) revert()
      }}
    >
      <span className="cell-scrim" />
      <p className="cell-head">
        <b>
          <Shown text={label} />
        </b>{' '}
        <Shown text={found ? labelOfRow(found) : place.row} />
      </p>
      <span className="cell-field">
        {field ? (
          <Control
            {...{ id, field, text, name }}
            label={chosen}
            describedBy={describedBy || undefined}
            component="cells"
            drawsTones
            error={problem ?? undefined}
            change={cell.change}
          />
        ) : (
          <input
            className="in"
            aria-label={name}
            value={text ?? ''}
            onChange={({ currentTarget: { value } }) => cell.change(value)}
          />
        )}
        {canClear && (
          <button
            type="button"
            className="plain"
            aria-label={editing.clearOf(label)}
            aria-keyshortcuts={ariaKeys(CLEAR_KEYS)}
            onClick={clear}
          >
            {editing.clear}
          </button>
        )}
      </span>
      {field && (
        <span id={`${id}-keys`} hidden>
          {cell.keys}
        </span>
      )}
      {field && isAsked && (
        <CellPop
          {...{ id, field, text, problem, conflict, revert }}
          label={chosen}
          keepMine={() => settle(cell.insist(), {})}
          focus={() => isModal && focus()}
        />
      )}
      <p className="cell-acts">
        <button type="button" className="btn" onClick={revert}>
          {failures.cancel}
        </button>
        <button type="button" className="btn main" onClick={() => save({})}>
          {editing.save}
        </button>
      </p>
    </div>
  )
}

/** Whether an editor that stands there is done with once the focus or the pointer is elsewhere. */
const hasLeft = (position: CellPosition): boolean => position === 'over' || position === 'above'

/** Focuses the cell at this distance, if the row is still there. */
function move(table: Props['table'], place: CellPlace, { rows = 0, cells = 0 }: Step): void {
  const cell = cellAtPlace(table.current, place)
  if (!cell || !table.current) return
  cell.tabIndex = -1
  cell.focus()
  const at = focusedPlace(table.current)
  if (at && (rows !== 0 || cells !== 0)) focusCell(table.current, at.row + rows, at.cell + cells)
}

/** The field has the focus as it opens, and again as it takes the place of the one that stood for it. */
function useFieldFocus(
  root: RefObject<HTMLElement | null>,
  { field, isDirty }: Pick<ReturnType<typeof useCell>, 'field' | 'isDirty'>,
): void {
  const isDrawn = field !== null
  const latest = useRef(isDirty)
  useLayoutEffect(() => {
    latest.current = isDirty
  })
  // Before the next key can come.
  useLayoutEffect(() => {
    const input = root.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('.in')
    input?.focus({ preventScroll: true })
    void playEarlyKeys()
    if (input instanceof HTMLSelectElement || !input) return
    // What is typed takes the place of the value, but goes on with a long text and with what was typed before.
    if (latest.current || input instanceof HTMLTextAreaElement)
      input.setSelectionRange(input.value.length, input.value.length)
    else input.select()
  }, [root, isDrawn])
}

type Told = Omit<CellState, 'refused'> & { readonly name: string | null; focus(): void }

function useTold(
  tell: Props['tell'],
  place: OpenCell,
  { isDirty, canClear, name, focus }: Told,
): void {
  const latest = useRef(focus)
  useEffect(() => {
    latest.current = focus
  })
  useEffect(() => {
    const refused = name === null ? null : { name, focus: () => latest.current() }
    tell(place, { isDirty, canClear, refused })
    return () => tell(place, null)
  }, [tell, place, isDirty, canClear, name])
}
