/** Sums or means of the page, or of the selected rows: under the columns, or under the cards. */

import type { ReactNode } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { SelectedSums } from '../selection/selected-sums.ts'
import { type DrawnColumn, labelOf } from './drawn-columns.ts'

type SumsProps = {
  view: TableView
  /** Those of the selected rows; `null` while none are selected. */
  selected: SelectedSums | null
}

type Sums = {
  /** Which rows they are of. */
  readonly title: string
  /** By the names of the columns. */
  readonly texts: ReadonlyMap<string, ReactNode>
}

/** The sums to show; `null` where no column has any. */
function useSums({ view, selected }: SumsProps): Sums | null {
  const { list, selection } = useMessages()
  const { locale } = usePage()
  const { sums = [], columns, rows } = view
  if (sums.length === 0) return null
  const all = selected
    ? selected.sums
    : sums.map((sum) => ({ ...sum, column: columns[sum.place]?.name ?? '' }))
  const draw = ({ kind, text, isReason }: (typeof all)[number]) => (
    <>
      <span className="sr">{list[kind]} </span>
      <span className="muted" aria-hidden="true">
        {kind === 'sum' ? 'Σ' : 'ø'}{' '}
      </span>
      {isReason ? <span className="muted">{text}</span> : text}
    </>
  )
  return {
    title: selected
      ? selection.count(selected.text)
      : list.onPage(rows.length.toLocaleString(locale)),
    texts: new Map(all.map((sum) => [sum.column, draw(sum)])),
  }
}

type TableSumsProps = SumsProps & { columns: readonly DrawnColumn[] }

export function TableSums({ columns, ...props }: TableSumsProps) {
  const sums = useSums(props)
  return (
    sums && (
      <tfoot role="rowgroup">
        <tr role="row">
          {props.view.selection && <td role="cell" className="pick" />}
          {columns.map(({ column: { name }, className }, place) => (
            <td key={name} role="cell" className={className}>
              {sums.texts.get(name) ?? (place === 0 && sums.title)}
            </td>
          ))}
          <td className="fill" aria-hidden="true" />
        </tr>
      </tfoot>
    )
  )
}

/** The same where rows are cards: after the last of them, and in sight while some are selected. */
export function CardSums(props: SumsProps) {
  const sums = useSums(props)
  return (
    sums && (
      <p className={props.selected ? 'sums some' : 'sums'}>
        {props.selected && sums.title}
        {props.view.columns.map((column) => {
          const text = sums.texts.get(column.name)
          return (
            text && (
              <span key={column.name}>
                <Shown text={labelOf(column)} /> <b>{text}</b>
              </span>
            )
          )
        })}
      </p>
    )
  )
}
