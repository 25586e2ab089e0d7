/** Draws the rows of another answer over several frames, so that keys and clicks are heard meanwhile. */

import { useEffect, useState } from 'react'
import type { Row } from '../../protocol/table-view.ts'

/** Rows of the first frame: laying out a hundred at once takes a slow device half a second. */
const FEWEST = 4
/** As long as frames are quick, each adds twice as many rows as the last, up to this many. */
const MOST = 16
/** Time from one frame to the next that a device keeps up with, ms; a display has 60 or more a second. */
const QUICK_MS = 25

type Drawing = {
  readonly rows: readonly Row[]
  readonly question: string
  /** Rows that are drawn at once. */
  readonly known: readonly Row[]
  /** How many of the others are drawn by now. */
  readonly others: number
  readonly step: number
  /** When the last frame began, ms. */
  readonly at: number
}

/**
 * The rows to draw now, from the first. All of them, unless they answer another question, such as a
 * search: then those come in later frames that were not on the page before.
 */
export function useDrawnRows(rows: readonly Row[], question: string): readonly Row[] {
  const begin = { rows, question, others: FEWEST, step: FEWEST, at: -Infinity }
  const [drawing, setDrawing] = useState<Drawing>({ ...begin, known: rows })
  if (drawing.rows !== rows)
    setDrawing({ ...begin, known: drawing.question === question ? rows : drawing.rows })
  const next = rows.filter((row) => !drawing.known.includes(row))[drawing.others]
  useEffect(() => {
    if (!next) return
    const frame = requestAnimationFrame((at) => setDrawing(furtherAt(at, drawing)))
    return () => cancelAnimationFrame(frame)
  }, [next, drawing])
  return next ? rows.slice(0, rows.indexOf(next)) : rows
}

function furtherAt(at: number, drawing: Drawing): Drawing {
  const step = at - drawing.at < QUICK_MS ? Math.min(drawing.step * 2, MOST) : FEWEST
  return { ...drawing, others: drawing.others + step, step, at }
}
