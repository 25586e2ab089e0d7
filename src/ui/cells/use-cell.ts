/** The value of a cell while it is edited: asked for, typed, saved through the door of changes, or refused. */

import { useEffect, useRef, useState } from 'react'
import type {
  CellField,
  CellsComponent,
  FieldConflict,
  SaveResult,
} from '../../protocol/form-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent } from '../../react/use-component.ts'
import { useTellDone } from '../history/use-undo.ts'
import { pinnedRows } from '../live/holding.ts'
import { useNotify } from '../parts/toasts.tsx'
import type { OpenCell } from './cell-work.tsx'
import { readPinned } from './read-pinned.ts'

type Asked = {
  /** Id of the listing. */
  readonly component: string
  readonly place: OpenCell
  close(): void
}

type Outcome =
  | { readonly step: 'asking' | 'open' | 'saving' }
  | { readonly step: 'refused'; readonly result: Extract<SaveResult, { status: 'refused' }> }

export function useCell({ component, place: { row, column, text: begun }, close }: Asked) {
  const { call } = useComponent<CellsComponent>('cells')
  const list = useRuntime().component(component)
  const [notify, tellDone] = [useNotify(), useTellDone()]
  const [asked, setAsked] = useState<Extract<CellField, { is: 'input' }> | null>(null)
  const field = asked?.field ?? null
  /** `undefined` until something is typed. */
  const [typed, setTyped] = useState<string | null | undefined>(begun)
  const [chosen, setChosen] = useState<{ readonly text: string; readonly label: string }>()
  const [outcome, setOutcome] = useState<Outcome>({ step: 'asking' })
  const end = useRef(close)
  /** Known at once: to leave the field after Enter or Escape must not save. */
  const isSettled = useRef(false)
  /** Whether what was typed is refused as it is, since the field is read in another way now. */
  const isStale = useRef(false)
  useEffect(() => {
    end.current = close
  })
  useEffect(() => {
    pinnedRows.set(row, pinnedRows.get(row))
    call.cell(row, column).then(
      (found) => {
        if (found.is === 'fixed') {
          notify(found.why)
          return end.current()
        }
        setAsked(found)
        setOutcome({ step: 'open' })
      },
      // The page's failure display says what went wrong.
      () => end.current(),
    )
  }, [call, row, column, notify])

  const stored = field?.text ?? null
  const text = typed === undefined ? stored : typed
  const isDirty = typed !== undefined && (field === null || text !== stored)

  /** Returns whether nothing is left to do: it is saved, or it was not changed. */
  async function saveOver(seen: string | null): Promise<boolean> {
    if (!field || isSettled.current) return true
    if (isStale.current) return false
    if (!isDirty) {
      close()
      return true
    }
    isSettled.current = true
    setOutcome({ step: 'saving' })
    // The page's failure display says what went wrong; what was typed stays.
    const { reading } = field
    const readings = reading === undefined ? {} : { [column]: reading }
    const result = await call
      .save(row, { [column]: text }, { [column]: seen }, readings)
      .catch(() => null)
    if (result?.status !== 'saved') {
      if (result && column in result.errors) await askAnew(reading)
      isSettled.current = false
      setOutcome(result ? { step: 'refused', result } : { step: 'open' })
      return false
    }
    tellDone(result.text, result.entry)
    // Until then, the value before would be seen below.
    await list.refresh()
    await readPinned(list)
    close()
    return true
  }

  /** What is typed from now on is read as its field is drawn then. */
  async function askAnew(reading: string | undefined): Promise<void> {
    const found = await call.cell(row, column).catch(() => null)
    if (found?.is !== 'input' || found.field.reading === reading) return
    isStale.current = true
    setAsked(found)
  }

  const refused = outcome.step === 'refused' ? outcome.result : null
  const conflict: FieldConflict | undefined = refused?.conflicts[0]
  const problem = refused && (Object.values(refused.errors).flat().join(' ') || null)
  return {
    field,
    text,
    isDirty,
    conflict,
    problem,
    /** What keys do here, for screen readers. */
    keys: asked?.keys,
    step: outcome.step,
    /** Of the related row that was chosen. */
    label: chosen?.text === text ? chosen?.label : undefined,
    change(next: string | null, label?: string) {
      isStale.current = false
      setTyped(next)
      if (next !== null && label !== undefined) setChosen({ text: next, label })
      setOutcome(field ? { step: 'open' } : { step: 'asking' })
    },
    save: () => saveOver(stored),
    /** Saves what was typed over what somebody else has saved meanwhile. */
    insist: () => saveOver(conflict?.theirs ?? null),
    revert() {
      isSettled.current = true
      close()
      if (conflict) void list.refresh()
    },
  }
}
