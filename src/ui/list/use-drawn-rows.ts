/** Draws the rows of another answer over several frames, so that keys and clicks are heard meanwhile. */

import { useEffect, useState } from 'react'
import type { Row } from '../../protocol/table-view.ts'

/** A page of so many rows or fewer is drawn at once: a device that takes long for it is rare. */
const AT_ONCE = 50
/** Rows of each frame of a longer page, which would hold a slow device up for half a second. */
const STEP = 6
/** Rows at the top that stay where they were on the page before: about as many as a window shows. */
const NEAR = 24

type Drawing = {
  readonly rows: readonly Row[]
  readonly question: string
  /** Places of the rows that are still to come. */
  readonly pending: readonly number[]
}

/** Rows in their places: `null` keeps that of one that is still to be drawn. */
export type DrawnRows = readonly (Row | null)[]

/**
 * The rows to draw now. When those of a long page answer a new question, such as a search, the first few
 * come at once and the rest over the next frames; otherwise all come at once. What was on the page before
 * is not left out where it is likely to be seen, or holds the focus.
 */
export function useDrawnRows(rows: readonly Row[], question: string): DrawnRows {
  const [drawing, setDrawing] = useState<Drawing>({ rows, question, pending: [] })
  const { pending } = drawing
  if (drawing.rows !== rows)
    setDrawing({ rows, question, pending: pendingOf(rows, question, drawing) })
  useEffect(() => {
    if (pending.length === 0) return
    const frame = requestAnimationFrame(() =>
      setDrawing({ ...drawing, pending: pending.slice(STEP) }),
    )
    return () => cancelAnimationFrame(frame)
  }, [pending, drawing])
  return drawnRows({ rows, pending })
}

const drawnRows = ({ rows, pending }: Pick<Drawing, 'rows' | 'pending'>): DrawnRows =>
  pending.length > 0 ? rows.map((row, place) => (pending.includes(place) ? null : row)) : rows

/** The places of all but the first few of the rows that are to be drawn. */
function pendingOf(rows: readonly Row[], question: string, before: Drawing): number[] {
  if (question === before.question || rows.length <= AT_ONCE) return []
  const drawn = new Set(drawnRows(before).map((row) => row?.[0]))
  // Rows of a table without a key have none: whether they were on the page is not known.
  drawn.delete('')
  const focused = document.activeElement?.closest('tr')?.dataset['rowKey']
  const stays = ([key]: Row, place: number) => drawn.has(key) && (place < NEAR || key === focused)
  return rows.flatMap((row, place) => (stays(row, place) ? [] : [place])).slice(STEP)
}
