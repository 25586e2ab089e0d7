/** Marks what others have changed in a table: for a moment by a tint, for a minute by a corner. */

import type { Environment } from '../../client/environment.ts'
import type { ChangedCell } from './held-rows.ts'

/** How long a change stays tinted, and marked, ms. */
export const TINT_MS = 8000
export const MARK_MS = 60_000

export type LiveMarks = {
  cells(changed: readonly ChangedCell[]): void
  /** Rows that have come in. */
  rows(came: readonly string[]): void
  /** The rows that are no longer in the list; `says` is shown beside their names. */
  gone(keys: readonly string[], says: string): void
  stop(): void
}

type Mark = { readonly key: string; readonly column: string | null; readonly at: number }

/** Marks are attributes of cells and rows, set again whenever React has drawn the table. */
export function markTable(within: HTMLElement, { later }: Pick<Environment, 'later'>): LiveMarks {
  const marks = new Map<string, Mark>()
  let left: { readonly keys: ReadonlySet<string>; readonly says: string } | null = null
  /** Whether the table may have marks. */
  let isMarked = false
  let cancel: (() => void) | null = null

  function add(key: string, column: string | null): void {
    marks.set(JSON.stringify([key, column]), { key, column, at: performance.now() })
  }

  function draw(): void {
    const isWanted = marks.size > 0 || left !== null
    if (!isWanted && !isMarked) return
    isMarked = isWanted
    const table = within.querySelector<HTMLTableElement>('table.tw')
    const heads = [...(table?.tHead?.rows[0]?.cells ?? [])]
    const places = new Map(heads.map((head, at) => [head.dataset['column'], at]))
    const rows = new Map<string, HTMLTableRowElement>()
    for (const row of table?.tBodies[0]?.rows ?? []) {
      const { rowKey = '' } = row.dataset
      rows.set(rowKey, row)
      const gone = left?.keys.has(rowKey) ? left.says : null
      set(row, 'data-gone', gone)
      // The style shows the word beside the name.
      const name = row.querySelector('th')
      if (name) set(name, 'data-gone', gone)
      set(row, 'data-came', stateOf(marks.get(JSON.stringify([rowKey, null]))))
    }
    for (const { key, column, at } of marks.values()) {
      const cell = column === null ? null : rows.get(key)?.cells[places.get(column) ?? -1]
      if (cell) set(cell, 'data-changed', stateOf({ at }))
    }
  }

  const stateOf = (mark: Pick<Mark, 'at'> | undefined): string | null => {
    const age = mark ? performance.now() - mark.at : MARK_MS
    return age < TINT_MS ? 'now' : age < MARK_MS ? 'before' : null
  }

  function follow(): void {
    draw()
    for (const [id, { at }] of marks) if (performance.now() - at >= MARK_MS) marks.delete(id)
    cancel?.()
    const ends = [...marks.values()].flatMap(({ at }) => [at + TINT_MS, at + MARK_MS])
    const next = Math.min(...ends.filter((end) => end > performance.now()))
    cancel = Number.isFinite(next) ? later(follow, next - performance.now()) : null
  }

  const drawn = new MutationObserver(draw)
  drawn.observe(within, { childList: true, characterData: true, subtree: true })
  return {
    cells(changed) {
      for (const { key, column } of changed) add(key, column)
      follow()
    },
    rows(came) {
      for (const key of came) add(key, null)
      follow()
    },
    gone(keys, says) {
      left = keys.length > 0 ? { keys: new Set(keys), says } : null
      draw()
    },
    stop() {
      drawn.disconnect()
      cancel?.()
    },
  }
}

function set(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return
  if (value === null) element.removeAttribute(name)
  else element.setAttribute(name, value)
}
