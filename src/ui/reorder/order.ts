/** The order that a person makes: its moves, and the page with all of them applied, until they are saved. */

import type { Moves, OrderedPage, ReorderResult, SeenNeighbours } from '../../protocol/reorder.ts'
import { MOVES_MAX, type ReorderedRow } from '../../protocol/reorder.ts'
import { labelOfRow, type TableView } from '../../protocol/table-view.ts'
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

export type Made = {
  readonly moves: readonly Move[]
  /** The steps that can be taken back. */
  readonly past: readonly Step[]
  /** Number of the page. */
  readonly number: number
}

/** The row that was moved, where it stood, and the moves before that. */
type Step = { readonly row: PlacedRow; readonly moves: readonly Move[] }

export const START: Made = { moves: [], past: [], number: 1 }

type Calls = {
  reorderPage(moves: Moves, number: number): Promise<OrderedPage>
  storeReorder(rows: ReorderedRow[], seen?: SeenNeighbours[]): Promise<ReorderResult>
}

export type OrderOptions = {
  /** Whether a row is lifted, so that rows must not change meanwhile. */
  isHeld(): boolean
  keep(made: Made): void
  draw(page: OrderedPage): void
}

export type MadeOrder = ReturnType<typeof createOrder>

/** `made`: what the person had made when they left the page. */
export function createOrder(
  made: Made,
  view: TableView,
  firstCalls: Calls,
  { isHeld, keep, draw }: OrderOptions,
) {
  let latest = made
  let call = firstCalls
  let { size } = view.page
  // What the list has drawn is the first page without moves.
  const isPlain = made.moves.length === 0 && made.number === (view.page.number ?? 0)
  let shownView = isPlain ? view.rows : null
  /** The page that is shown, and what it was read or made for. */
  let shown: { page: OrderedPage; of: Made | null } = {
    page: pageOf(view),
    of: isPlain ? made : null,
  }
  /** Which row stood at which place of the order as it was shown; only places that were seen. */
  let seen = new Map(placedRows(shown.page).map(({ rank, key }) => [rank, key]))
  let asked = 0
  /** The last question whose answer is shown. */
  let answered = 0
  let loading = Promise.resolve()
  /** What waits until the page shows all moves, in order. */
  let waiting: (() => void)[] = []
  let done = Promise.resolve()

  function show(page: OrderedPage, of: Made): void {
    for (const [at, [key]] of page.rows.entries()) seen.set(page.start + at + 1, key)
    shown = { page, of }
    draw(page)
  }

  function put(next: Made): void {
    latest = next
    keep(next)
  }

  async function read(of: Made, turn: number): Promise<void> {
    // The page's failure display says what went wrong.
    const answer = await call.reorderPage(sentMoves(of.moves), of.number).catch(() => undefined)
    if (!answer || turn !== asked || isHeld()) return
    answered = turn
    show(answer, of)
  }

  const load = (): Promise<void> => (loading = read(latest, ++asked))

  const isShown = () => shown.of === latest

  /** Waits for what is being read. */
  async function untilRead(): Promise<void> {
    for (let last; !isShown() && last !== loading;) await (last = loading)
  }

  /** Does in turn what waits. Where the page cannot be read, all of it is given up. */
  async function doWaiting(): Promise<void> {
    try {
      while (waiting.length > 0) {
        if (!isShown()) await untilRead()
        // The mode may have been left meanwhile.
        if (!isShown() && waiting.length > 0) await load()
        if (!isShown()) return
        waiting.shift()?.()
      }
    } finally {
      waiting = []
    }
  }

  /** All moves after one more, which is not made. */
  const movesWith = (row: PlacedRow, to: number) =>
    moveRow(latest.moves, row, to, keyIn(seen, shown.page.count))

  /** The page after a move on it; `undefined` where the row comes from or goes to another one. */
  function pageAfter({ key, rank }: PlacedRow, to: number): OrderedPage | undefined {
    const { page } = shown
    const [from, at] = [rank - page.start - 1, to - page.start - 1]
    const moved = page.rows[from]
    if (moved?.[0] !== key || at < 0 || at >= page.rows.length) return
    const rows = page.rows.toSpliced(from, 1).toSpliced(at, 0, moved)
    const gone = new Set(page.except.map((place) => page.rows[place]))
    return { ...page, rows, except: rows.flatMap((one, i) => (gone.has(one) ? [i] : [])) }
  }

  return {
    /** The list has drawn another view, or is called through another page. */
    follow(next: TableView, calls: Calls): void {
      call = calls
      ;({ size } = next.page)
      if (shownView === next.rows || isHeld()) return
      shownView = next.rows
      void load()
    },
    load,
    movesWith,
    /** Moves a row to a place, and shows the page on which that place is. */
    move(row: PlacedRow, to: number): void {
      const { moves, past, number } = latest
      if (to === row.rank) return
      const next = movesWith(row, to)
      if (next.length > MOVES_MAX) return
      seen = new Map(
        [...seen].map(([place, key]) => [key === row.key ? to : shifted(place, row.rank, to), key]),
      )
      const after = { moves: next, past: [...past, { row, moves }] }
      const page = pageAfter(row, to)
      put({ ...after, number: page ? number : Math.ceil(to / size) })
      if (page) show(page, latest)
      // What is being read is of the rows before the move.
      if (!page || answered !== asked) void load()
    },
    turnTo(number: number): Promise<void> {
      put({ ...latest, number })
      return load()
    },
    /** Whether something waits for the page to be shown. */
    isWaiting: () => waiting.length > 0,
    /**
     * Calls `act` with a row and the page as they are once the page shows all moves, after what waits for
     * that already: keys may come while it is still being read. Where the row is on another page by then, the
     * page is read again and nothing else is done.
     */
    whenShown(rowOf: () => PlacedRow, act: (row: PlacedRow, page: OrderedPage) => void): void {
      const isNow = isShown()
      const count = waiting.push(() => {
        const { page } = shown
        const row = rowOf()
        const found = placedRows(page).find(({ key }) => key === row.key)
        if (found || isNow) act(found ?? row, page)
        else void load()
      })
      if (count === 1) done = doWaiting()
    },
    /** The moves, once all that waits is done. */
    async finalMoves(): Promise<readonly Move[]> {
      await done
      return latest.moves
    },
    /** The place of a row by its stored one. */
    placeOf: (key: string, stored: number) =>
      latest.moves.find((one) => one.key === key)?.to ?? finalRank(latest.moves, stored),
    /**
     * Takes the last step back, and returns its row once the page is shown on which that stands again;
     * nothing if that could not be read.
     */
    async takeBack(): Promise<PlacedRow | undefined> {
      const { past } = latest
      const step = past.at(-1)
      if (!step) return
      const { row, moves } = step
      seen.clear()
      put({ moves, past: past.slice(0, -1), number: Math.ceil(row.rank / size) })
      await load()
      // Another reading may have begun meanwhile.
      if (!isShown()) await untilRead()
      return isShown() ? row : undefined
    },
    /** Drops the moves of rows that have gone. */
    drop(keys: readonly string[]): void {
      const { number, moves } = latest
      seen.clear()
      put({ moves: moves.filter(({ key }) => !keys.includes(key)), past: [], number })
      void load()
    },
    /** Once the person has been told what others have changed. */
    lookAgain(): void {
      const { moves, past, number } = latest
      const steps = past.map((step) => ({ ...step, moves: withoutSeen(step.moves) }))
      put({ moves: withoutSeen(moves), past: steps, number })
      void load()
    },
    /** Gives up what waits. */
    stop(): void {
      waiting = []
    },
    /** Gives up all moves, and what waits. */
    forget(): void {
      waiting = []
      put(START)
    },
    /** Saves the moves; with `isAnyway`, whatever others have changed. */
    async save(keyName: string, column: string, isAnyway: boolean): Promise<ReorderResult> {
      const moves = latest.moves.toSorted((a, b) => a.to - b.to)
      const list = moves.map(({ key, to }) => ({ [keyName]: key, [column]: to }))
      if (isAnyway) return await call.storeReorder(list)
      const keyAt = keyIn(seen, shown.page.count)
      const neighbours = moves.map(({ key, to, seen: from }): SeenNeighbours => ({
        ...{ key, ...sidesOf(to, keyAt) },
        ...(from && { from }),
      }))
      return await call.storeReorder(list, neighbours)
    },
  }
}

/** The page that the list has drawn. */
export function pageOf({ rows, records, page, total }: TableView): OrderedPage {
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
