/** Why there are no rows, and what to do about it. */

import type { ReactNode } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { Blank } from '../parts/blank.tsx'

type NoRowsProps = Required<Pick<TableView, 'nothing'>> & {
  /** What more there is to know of a search and filters that find nothing. */
  more: ReactNode
}

export const NoRows = ({ nothing: { ways, ...blank }, more }: NoRowsProps) => (
  <Blank {...blank} more={blank.kind === 'no-match' && more}>
    {ways.map(({ href, label }) => (
      <a key={href} className="btn line" href={href}>
        {label}
      </a>
    ))}
  </Blank>
)
