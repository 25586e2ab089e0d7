/** Marks the row of a table that is peeked at, whatever is drawn again. */

/** Brings it into sight, and returns what takes the mark away. */
export function markRow(table: HTMLTableElement, key: string): () => void {
  const mark = (marked: string | null) => {
    for (const row of table.tBodies[0]?.rows ?? [])
      row.toggleAttribute('data-peeked', row.dataset['rowKey'] === marked)
  }
  mark(key)
  table.querySelector('[data-peeked]')?.scrollIntoView({ block: 'nearest' })
  const drawn = new MutationObserver(() => mark(key))
  drawn.observe(table, { childList: true, subtree: true, attributeFilter: ['data-row-key'] })
  return () => {
    drawn.disconnect()
    mark(null)
  }
}
