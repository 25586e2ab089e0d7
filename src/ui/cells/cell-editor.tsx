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
import { playEarlyKeys } from '../early-keys.ts'
import { focusCell, focusedPlace } from '../list/table-keys.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Conflict, Control } from '../record/field-input.tsx'
import type { OpenCell } from './cell-work.tsx'
import { type CellPlace, cellAtPlace } from './places.ts'
import { useCell } from './use-cell.ts'
import { useCellPosition } from './use-cell-position.ts'

/** What the list knows of an open editor. */
export type CellState = { readonly isDirty: boolean; readonly refused: Refused | null }

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

/** Where the focus goes once the value is saved. */
type Step = { rows?: number; cells?: number }

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
  const { field, text, step, problem, conflict } = cell
  const position = useCellPosition(root, table, place)
  useFieldFocus(root, cell)
  const focus = () => root.current?.querySelector<HTMLElement>('.in')?.focus()
  useTold(tell, place, { isDirty: cell.isDirty, name: problem || conflict ? name : null, focus })

  const control = field?.control.is
  const isLong = control === 'long' || control === 'json'
  const isPicked = control === 'choice' || control === 'yes-no' || control === 'relation'
  /** The focus goes on at once; what is refused calls it back. */
  const save = (go?: Step) => {
    // Once the field is there.
    if (step === 'asking') return void (waiting.current = go ?? {})
    void cell.save().then((isSaved) => {
      const now = document.activeElement
      const isFree = now === document.body || now?.closest('tbody') !== null
      if (!isSaved && isFree) focus()
    })
    if (go) move(table, place, go)
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
      if (isOutside && step === 'open' && position !== 'sheet') latestSave.current()
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => document.removeEventListener('pointerdown', onPress, true)
  }, [step, position])
  const revert = () => {
    cell.revert()
    move(table, place, {})
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event
    // What is typed here is for no command of the list; the palette opens from anywhere.
    if (key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const go =
      key === 'Enter' && !(isLong && shiftKey)
        ? { rows: shiftKey ? -1 : 1 }
        : key === 'Tab'
          ? { cells: shiftKey ? -1 : 1 }
          : !isLong && !isPicked && key === 'ArrowDown'
            ? { rows: 1 }
            : !isLong && !isPicked && key === 'ArrowUp'
              ? { rows: -1 }
              : null
    // Buttons and a calendar have keys of their own.
    const isField =
      event.target instanceof Element && event.target.matches('.cell-field .in:not(.calpop *)')
    if (key === 'Escape') revert()
    else if (go && isField) save(go)
    else return
    event.preventDefault()
  }
  const describedBy = problem ? `${id}-why` : undefined
  return (
    <div
      ref={root}
      role="group"
      aria-label={name}
      className={['cell-edit', problem && 'refused', isLong && 'long', position]
        .filter(Boolean)
        .join(' ')}
      data-control={control}
      aria-busy={step === 'asking' || step === 'saving' || undefined}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside && document.hasFocus() && step === 'open' && position !== 'sheet') save()
      }}
    >
      <p className="cell-head">
        <b>
          <Shown text={label} />
        </b>{' '}
        <Shown text={found ? labelOfRow(found) : place.row} />
      </p>
      <span className="cell-field">
        {field ? (
          <Control
            {...{ id, describedBy, field, text, name }}
            component="cells"
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
        {field?.nullable && field.takesEmpty && text !== null && (
          <button
            type="button"
            className="plain"
            aria-label={editing.clearOf(label)}
            onClick={() => {
              cell.change(null)
              focus()
            }}
          >
            {editing.clear}
          </button>
        )}
      </span>
      {(problem || conflict) && (
        <div className="cell-pop">
          {problem && (
            <>
              <p id={`${id}-why`} className="err" role="alert">
                <Icon name="warning" />
                {problem}
              </p>
              <button type="button" className="plain" onClick={revert}>
                {cells.putBackValue(field?.text ?? editing.noValue)}
              </button>
            </>
          )}
          {conflict && field && (
            <Conflict
              {...{ field, text, conflict }}
              take={revert}
              keepMine={cell.insist}
              focus={focus}
            />
          )}
        </div>
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

type Told = { readonly isDirty: boolean; readonly name: string | null; focus(): void }

function useTold(tell: Props['tell'], place: OpenCell, { isDirty, name, focus }: Told): void {
  const latest = useRef(focus)
  useEffect(() => {
    latest.current = focus
  })
  useEffect(() => {
    const refused = name === null ? null : { name, focus: () => latest.current() }
    tell(place, { isDirty, refused })
    return () => tell(place, null)
  }, [tell, place, isDirty, name])
}
