/** Draws the rows of another answer over several frames, so that keys and clicks are heard meanwhile. */

import { useEffect, useState } from 'react'
import type { Row } from '../../protocol/table-view.ts'

/** So many rows or fewer are drawn at once: a device that takes long for them is rare. */
const AT_ONCE = 50
/**
 * Rows of a longer page, which would hold a slow device up for half a second, that are drawn in the first
 * frame and in each that comes late. One that is on time draws so many more than the frame before it.
 */
const STEP = 2
/** Longest time from one frame to the next that is on time, ms: displays show 50 frames a second or more. */
const ON_TIME_MS = 25
/** Rows at the top that are drawn at once under other heads: about as many as a window shows. */
const NEAR = 24
/** Rows removed in each frame below the last one. */
const CLEARED = 24
const NO_FRAME = [0, 0] as const

/** What rows are drawn with: `heads` tells its columns. */
type Headed = { readonly heads: string }

/** A row at its place, and what it is drawn with. */
export type DrawnRow<Look> = {
  readonly row: Row
  readonly look: Look
  /** Names the element: a row keeps it for as long as it has the same. */
  readonly id: string
}

/** Rows in their places; `null` where nothing stands until one is drawn. */
export type DrawnRows<Look> = readonly (DrawnRow<Look> | null)[]

/** Rows that answer a question, and what they are drawn with. */
type Answer<Look> = {
  readonly rows: readonly Row[]
  readonly look: Look
  /** Names what they answer. */
  readonly question: string
}

type Drawing<Look> = Answer<Look> & {
  /** How many answers have been drawn in steps: part of the ids of what is drawn for one. */
  readonly turn: number
  /** Elements that rows keep from an earlier answer: ids by key. */
  readonly kept: ReadonlyMap<string, string>
  /** What stood on the page before, and stays at the places that are pending. */
  readonly before: DrawnRows<Look>
  /** The places that are still to be drawn, or to be cleared where they are below the last row. */
  readonly pending: readonly number[]
  /** The last frame: when it began, ms, and how many rows it drew. */
  readonly frame: readonly [at: number, rows: number]
}

/**
 * The rows to draw now, and whether more are to come. When those of a long page answer a new question,
 * such as a search, the first comes at once and the others over the next frames, each in place of the one
 * that stood there; otherwise all come at once, as the first do if they are `wholeAtFirst`.
 */
export function useDrawnRows<Look extends Headed>(answer: Answer<Look>, wholeAtFirst: boolean) {
  const { rows, look, question } = answer
  const [drawing, setDrawing] = useState(() => {
    const none = {
      turn: 0,
      kept: new Map<string, string>(),
      before: [],
      pending: [],
      frame: NO_FRAME,
    }
    const first: Drawing<Look> = { ...answer, ...none }
    return wholeAtFirst ? first : inSteps({ ...first, rows: [] }, answer)
  })
  const { pending } = drawing
  if (drawing.rows !== rows || drawing.look !== look || drawing.question !== question)
    setDrawing(question === drawing.question ? replaced(drawing, answer) : inSteps(drawing, answer))
  useEffect(() => {
    if (pending.length === 0) return
    const frame = requestAnimationFrame((at) => setDrawing((drawing) => advanced(drawing, at)))
    return () => cancelAnimationFrame(frame)
  }, [pending])
  return { drawn: drawnRows(drawing), isDrawing: pending.length > 0 }
}

/** Draws a few places more in the frame that began `at`, and clears some from the end. */
function advanced<Look extends Headed>(drawing: Drawing<Look>, at: number): Drawing<Look> {
  const { rows, pending, frame } = drawing
  const step = at - frame[0] < ON_TIME_MS ? frame[1] + STEP : STEP
  const own = pending.filter((place) => place < rows.length)
  const left = pending.filter((place) => place >= rows.length)
  const rest = [...own.slice(step), ...left.slice(0, -CLEARED)]
  return withPending({ ...drawing, frame: [at, step] }, rest)
}

/** Takes over another answer to the same question: other rows, or other heads, come at once. */
function replaced<Look extends Headed>(drawing: Drawing<Look>, answer: Answer<Look>) {
  const isAlike = drawing.rows === answer.rows && drawing.look.heads === answer.look.heads
  return withPending({ ...drawing, ...answer }, isAlike ? drawing.pending : [])
}

const withPending = <Look>(drawing: Drawing<Look>, pending: readonly number[]): Drawing<Look> => ({
  ...drawing,
  before: pending.length === 0 ? [] : drawing.before,
  pending,
})

/**
 * Begins to draw the answer to a new question: at once its first row, which a key that turns the page focuses,
 * and the place that the row with the focus leaves.
 */
function inSteps<Look extends Headed>(drawing: Drawing<Look>, answer: Answer<Look>): Drawing<Look> {
  const before = drawnRows(drawing)
  const { rows } = answer
  const length = Math.max(rows.length, before.length)
  const turn = drawing.turn + 1
  if (length <= AT_ONCE) return withPending({ ...drawing, ...answer }, [])
  // Under other heads, the cells before would be read as values of other columns.
  const isAlike = drawing.look.heads === answer.look.heads
  const focused = document.activeElement?.closest('tr')?.dataset['rowKey']
  const isMoved = focused !== undefined && rows.some(([key]) => key === focused)
  const kept = new Map<string, string>()
  const pending: number[] = []
  for (let place = 0; place < length; place++) {
    const [stood, key] = [before[place], rows[place]?.[0]]
    const isAtOnce = isAlike ? place === 0 || (isMoved && stood?.row[0] === focused) : place < NEAR
    const same =
      isMoved && key === focused
        ? before.find((one) => one?.row[0] === key)
        : stood?.row[0] === key && (isAlike || isAtOnce)
          ? stood
          : null
    // Rows of a table without a key have none: whether they were on the page is not known.
    if (key && same) kept.set(key, same.id)
    else if (!isAtOnce) pending.push(place)
  }
  const begun = { turn, kept, before: isAlike ? before : [], pending: [], frame: NO_FRAME }
  return withPending({ ...answer, ...begun }, pending)
}

function drawnRows<Look extends Headed>({
  pending,
  before,
  ...drawing
}: Drawing<Look>): DrawnRows<Look> {
  const { rows, look, turn, kept } = drawing
  const taken = new Set(kept.values())
  const drawn: (DrawnRow<Look> | null)[] = rows.map((row, place) => ({
    ...{ row, look, id: kept.get(row[0]) ?? `${turn} ${row[0] || place}` },
  }))
  for (const place of pending) {
    const stood = before[place]
    drawn[place] = stood && !taken.has(stood.id) ? stood : null
  }
  return drawn
}
