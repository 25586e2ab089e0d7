/** Where a cell stands in the table: rows and columns are found by what the markup says of them. */

/** A cell by its row's key and its column. */
export type CellPlace = { readonly row: string; readonly column: string }

/** The place of a cell among the rows; `null` for any other element. */
export function placeOf(cell: Element): CellPlace | null {
  const row = cell.closest('tr')?.dataset['rowKey']
  const column = cell instanceof HTMLTableCellElement && headOf(cell)?.dataset['column']
  return row && column ? { row, column } : null
}

function headOf(cell: HTMLTableCellElement): HTMLTableCellElement | undefined {
  return cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]
}

export function cellAtPlace(
  table: HTMLTableElement | null,
  { row, column }: CellPlace,
): HTMLTableCellElement | null {
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])]
  const at = heads.findIndex((head) => head.dataset['column'] === column)
  const found = [...(table?.tBodies[0]?.rows ?? [])].find(
    ({ dataset }) => dataset['rowKey'] === row,
  )
  return found?.cells[at] ?? null
}
