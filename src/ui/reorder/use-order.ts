/** The order that a person makes: the rows of a page with all moves applied, until they are saved. */

import { useCallback, useEffect, useRef, useState } from 'react'
import type { OrderedPage, ReorderResult, SeenNeighbours } from '../../protocol/reorder.ts'
import { MOVES_MAX } from '../../protocol/reorder.ts'
import { labelOfRow, type TableComponent, type TableView } from '../../protocol/table-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useKept } from '../../react/use-kept.ts'
import {
  finalRank,
  type KeyAt,
  type Move,
  moveRow,
  type PlacedRow,
  sentMoves,
  shifted,
  sidesOf,
  withoutSeen,
} from './moves.ts'

type Made = {
  readonly moves: readonly Move[]
  /** The steps that can be taken back. */
  readonly past: readonly Step[]
  /** Number of the page. */
  readonly number: number
}

/** The row that was moved, where it stood, and the moves before that. */
type Step = { readonly row: PlacedRow; readonly moves: readonly Move[] }

export type Order = ReturnType<typeof useOrder>

/** `isHeld`: whether a row is lifted, so that rows must not change meanwhile. */
export function useOrder(component: string, view: TableView, isHeld: () => boolean) {
  const { call } = useComponent<TableComponent>(component)
  const { size } = view.page
  const [made, keep] = useKept<Made>(`moves of ${view.name}`, START)
  const latest = useRef(made)
  const isPlain = made.moves.length === 0 && made.number === (view.page.number ?? 0)
  const [page, setPage] = useState(() => pageOf(view))
  /** The page that is shown, and what it was read or made for. */
  const shown = useRef({ page, of: isPlain ? made : null })
  /** Which row stood at which place of the order as it was shown; only places that were seen. */
  const seen = useRef(new Map(placedRows(page).map(({ rank, key }) => [rank, key])))
  const asked = useRef(0)
  /** The last question whose answer is shown. */
  const answered = useRef(0)
  const loading = useRef(Promise.resolve())
  /** What waits until the page shows all moves, in order. */
  const waiting = useRef<(() => void)[]>([])
  const done = useRef(Promise.resolve())

  const show = useCallback((next: OrderedPage, of: Made) => {
    for (const [at, [key]] of next.rows.entries()) seen.current.set(next.start + at + 1, key)
    shown.current = { page: next, of }
    setPage(next)
  }, [])
  const put = useCallback(
    (next: Made) => {
      latest.current = next
      keep(next)
    },
    [keep],
  )
  const load = useCallback(() => {
    const of = latest.current
    const turn = ++asked.current
    const read = async () => {
      // The page's failure display says what went wrong.
      const answer = await call.reorderPage(sentMoves(of.moves), of.number).catch(() => undefined)
      if (!answer || turn !== asked.current || isHeld()) return
      answered.current = turn
      show(answer, of)
    }
    return (loading.current = read())
  }, [call, show, isHeld])
  const isShown = () => shown.current.of === latest.current

  /** Waits for what is being read. */
  const untilRead = async () => {
    for (let last; !isShown() && last !== loading.current;) await (last = loading.current)
  }
  /** Does in turn what waits. Where the page cannot be read, all of it is given up. */
  const doWaiting = async () => {
    try {
      while (waiting.current.length > 0) {
        if (!isShown()) await untilRead()
        // The mode may have been left meanwhile.
        if (!isShown() && waiting.current.length > 0) await load()
        if (!isShown()) return
        waiting.current.shift()?.()
      }
    } finally {
      waiting.current = []
    }
  }
  useEffect(
    () => () => {
      waiting.current = []
    },
    [],
  )

  const { rows } = view
  // What the list has drawn is the first page without moves.
  const shownView = useRef<TableView['rows'] | null>(isPlain ? rows : null)
  useEffect(() => {
    if (shownView.current === rows || isHeld()) return
    shownView.current = rows
    void load()
  })

  /** All moves after one more, which is not made. */
  const movesWith = useCallback(
    (row: PlacedRow, to: number) =>
      moveRow(latest.current.moves, row, to, keyIn(seen.current, shown.current.page.count)),
    [],
  )

  /** Moves a row to a place, and shows the page on which that place is. */
  const move = useCallback(
    (row: PlacedRow, to: number) => {
      const { page } = shown.current
      const { moves, past, number } = latest.current
      if (to === row.rank) return
      const next = movesWith(row, to)
      if (next.length > MOVES_MAX) return
      seen.current = new Map(
        [...seen.current].map(([place, key]) => [
          key === row.key ? to : shifted(place, row.rank, to),
          key,
        ]),
      )
      const made = { moves: next, past: [...past, { row, moves }] }
      const [from, at] = [row.rank - page.start - 1, to - page.start - 1]
      const moved = page.rows[from]
      const isHere = at >= 0 && at < page.rows.length
      if (moved?.[0] === row.key && isHere) {
        put({ ...made, number })
        const rows = page.rows.toSpliced(from, 1).toSpliced(at, 0, moved)
        const gone = new Set(page.except.map((place) => page.rows[place]))
        const except = rows.flatMap((one, i) => (gone.has(one) ? [i] : []))
        show({ ...page, rows, except }, latest.current)
        // What is being read is of the rows before the move.
        if (answered.current !== asked.current) void load()
      } else {
        put({ ...made, number: Math.ceil(to / size) })
        void load()
      }
    },
    [put, show, load, size, movesWith],
  )

  const turnTo = useCallback(
    (number: number) => {
      put({ ...latest.current, number })
      return load()
    },
    [put, load],
  )

  return {
    page,
    moves: made.moves,
    /** Number of the page that is shown. */
    number: Math.floor(page.start / size) + 1,
    pages: page.count === null ? null : Math.max(1, Math.ceil(page.count / size)),
    canTakeBack: made.past.length > 0,
    call,
    movesWith,
    move,
    /** Whether something waits for the page to be shown. */
    isWaiting: () => waiting.current.length > 0,
    /**
     * Calls `act` with a row and the page as they are once the page shows all moves, after what waits for
     * that already: keys may come while it is still being read. Where the row is on another page by then, the
     * page is read again and nothing else is done.
     */
    whenShown(rowOf: () => PlacedRow, act: (row: PlacedRow, page: OrderedPage) => void) {
      const isNow = isShown()
      const count = waiting.current.push(() => {
        const { page } = shown.current
        const row = rowOf()
        const found = placedRows(page).find(({ key }) => key === row.key)
        if (found || isNow) act(found ?? row, page)
        else void load()
      })
      if (count === 1) done.current = doWaiting()
    },
    /** The moves, once all that waits is done. */
    async finalMoves(): Promise<readonly Move[]> {
      await done.current
      return latest.current.moves
    },
    turnTo,
    load,
    /** The place of a row by its stored one. */
    placeOf: (key: string, stored: number) =>
      latest.current.moves.find((one) => one.key === key)?.to ??
      finalRank(latest.current.moves, stored),
    /**
     * Takes the last step back, and returns its row once the page is shown on which that stands again;
     * nothing if that could not be read.
     */
    async takeBack(): Promise<PlacedRow | undefined> {
      const { past } = latest.current
      const step = past.at(-1)
      if (!step) return
      const { row, moves } = step
      seen.current.clear()
      put({ moves, past: past.slice(0, -1), number: Math.ceil(row.rank / size) })
      await load()
      // Another reading may have begun meanwhile.
      if (!isShown()) await untilRead()
      return isShown() ? row : undefined
    },
    /** Drops the moves of rows that have gone. */
    drop(keys: readonly string[]) {
      const { number, moves } = latest.current
      seen.current.clear()
      put({ moves: moves.filter(({ key }) => !keys.includes(key)), past: [], number })
      void load()
    },
    /** Once the person has been told what others have changed. */
    lookAgain() {
      const { moves, past, number } = latest.current
      const steps = past.map((step) => ({ ...step, moves: withoutSeen(step.moves) }))
      put({ moves: withoutSeen(moves), past: steps, number })
      void load()
    },
    /** Gives up all moves, and what waits. */
    forget() {
      waiting.current = []
      put(START)
    },
    /** Saves the moves; with `isAnyway`, whatever others have changed. */
    async save(keyName: string, column: string, isAnyway: boolean): Promise<ReorderResult> {
      const moves = latest.current.moves.toSorted((a, b) => a.to - b.to)
      const list = moves.map(({ key, to }) => ({ [keyName]: key, [column]: to }))
      if (isAnyway) return await call.storeReorder(list)
      const keyAt = keyIn(seen.current, page.count)
      const neighbours = moves.map(({ key, to, seen: from }): SeenNeighbours => ({
        ...{ key, ...sidesOf(to, keyAt) },
        ...(from && { from }),
      }))
      return await call.storeReorder(list, neighbours)
    },
  }
}

const START: Made = { moves: [], past: [], number: 1 }

/** The page that the list has drawn. */
function pageOf({ rows, records, page, total }: TableView): OrderedPage {
  return {
    rows: [...rows],
    except: [...(records?.except ?? [])],
    start: ((page.number ?? 1) - 1) * page.size,
    count: total.kind === 'exact' ? total.count : null,
    hasMore: page.next !== undefined,
  }
}

/** Which row the person saw at a place; `null` beyond the ends of the order. */
const keyIn =
  (seen: ReadonlyMap<number, string>, count: number | null): KeyAt =>
  (place) =>
    place === 0 || place - 1 === count ? null : seen.get(place)

/** The rows of a page, each with its name and its place. */
export const placedRows = ({ rows, start }: OrderedPage): PlacedRow[] =>
  rows.map((row, at) => ({ key: row[0], label: labelOfRow(row), rank: start + at + 1 }))
