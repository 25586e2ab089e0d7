/** A table of a few rows, for pages of your own: no sorting, no paging. */

import type { ReactNode } from 'react'

export type TableProps = {
  /** Names the table for screen readers. */
  label: string
  columns: readonly (string | { readonly label: string; readonly isNumber: boolean })[]
  /** The first cell names its row. */
  rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

export function Table({ label, columns, rows }: TableProps) {
  const heads = columns.map((column) =>
    typeof column === 'string' ? { label: column, isNumber: false } : column,
  )
  const align = (at: number) => (heads[at]?.isNumber ? 'num' : undefined)
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="plain-table" aria-label={label}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head.label} scope="col" className={align(at)}>
                {head.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...others] }) => (
            <tr key={key}>
              <th scope="row" className={align(0)}>
                {first}
              </th>
              {others.map((cell, at) => (
                // A row's cells keep their places.
                <td key={heads[at + 1]?.label} className={align(at + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
