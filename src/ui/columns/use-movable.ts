/** A row of columns that is put elsewhere by its handle. */

import { type RefObject, useEffect, useRef } from 'react'
import { moveBy } from '../upload/move-rows.ts'

export type MovableHandlers = {
  /** The names of all columns, in their new order. */
  arrange(names: string[]): void
  /** A drag was given up: the rows go back to where they were. */
  putBack(): void
}

export type Movable<Row extends HTMLElement> = {
  readonly row: RefObject<Row | null>
  readonly grip: RefObject<HTMLButtonElement | null>
}

/** The row has the name of its column as `data-column`, and stands among the others. */
export function useMovable<Row extends HTMLElement>(handlers: MovableHandlers): Movable<Row> {
  const row = useRef<Row>(null)
  const grip = useRef<HTMLButtonElement>(null)
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    if (grip.current && row.current)
      moveBy(grip.current, row.current, {
        moved: ({ parentElement }) => latest.current.arrange(namesIn(parentElement)),
        putBack: () => latest.current.putBack(),
      })
  }, [])
  return { row, grip }
}

const namesIn = (rows: Element | null): string[] =>
  [...(rows?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].flatMap(
    ({ dataset }) => dataset['column'] ?? [],
  )
