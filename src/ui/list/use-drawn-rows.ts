/** Draws the rows of another answer over several frames, so that keys and clicks are heard meanwhile. */

import { useEffect, useState } from 'react'
import type { Row } from '../../protocol/table-view.ts'

/** A page of so many rows or fewer is drawn at once: a device that takes long for it is rare. */
const AT_ONCE = 50
/** Rows of the first frame of a longer page, which would hold a slow device up for half a second. */
const FEWEST = 4
/** As long as frames are quick, each adds twice as many rows as the last, up to this many. */
const MOST = 8
/** Time from one frame to the next that a device keeps up with, ms; a display has 60 or more a second. */
const QUICK_MS = 25

type Drawing = {
  readonly rows: readonly Row[]
  readonly question: string
  /** Places of the rows that are still to come. */
  readonly pending: readonly number[]
  readonly step: number
  /** When the last frame began, ms. */
  readonly at: number
}

/** Rows in their places: `null` keeps that of one that is still to be drawn. */
export type DrawnRows = readonly (Row | null)[]

/**
 * The rows to draw now. When those of a long page answer a new question, such as a search, the first few
 * come at once and the rest over the next frames; otherwise all come at once. None is left out that was on
 * the page before.
 */
export function useDrawnRows(rows: readonly Row[], question: string): DrawnRows {
  const begin = { rows, question, step: FEWEST, at: -Infinity }
  const [drawing, setDrawing] = useState<Drawing>({ ...begin, pending: [] })
  const { pending } = drawing
  if (drawing.rows !== rows)
    setDrawing({ ...begin, pending: question === drawing.question ? [] : pendingOf(rows, drawing) })
  useEffect(() => {
    if (pending.length === 0) return
    const frame = requestAnimationFrame((at) => setDrawing(furtherAt(at, drawing)))
    return () => cancelAnimationFrame(frame)
  }, [pending, drawing])
  return drawnRows({ rows, pending })
}

function drawnRows({ rows, pending }: Pick<Drawing, 'rows' | 'pending'>): DrawnRows {
  if (pending.length === 0) return rows
  const isPending = new Set(pending)
  return rows.map((row, place) => (isPending.has(place) ? null : row))
}

/** The places of all but the first few of the rows that are not on the page yet. */
function pendingOf(rows: readonly Row[], before: Drawing): number[] {
  if (rows.length <= AT_ONCE) return []
  const drawn = new Set(drawnRows(before).map((row) => row?.[0]))
  // Rows of a table without a key have none: whether they were on the page is not known.
  drawn.delete('')
  return rows.flatMap(([key], place) => (drawn.has(key) ? [] : [place])).slice(FEWEST)
}

function furtherAt(at: number, drawing: Drawing): Drawing {
  const step = at - drawing.at < QUICK_MS ? Math.min(drawing.step * 2, MOST) : FEWEST
  return { ...drawing, pending: drawing.pending.slice(step), step, at }
}
