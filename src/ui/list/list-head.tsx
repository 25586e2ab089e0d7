/** The head of a listing: the table, how many rows it has, and whether they can be changed. */

import type { TableView } from '../../protocol/table-view.ts'
import { Head } from '../parts/head.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { totalText } from './total-text.ts'

export function ListHead({ view }: { view: TableView }) {
  const { list } = useMessages()
  const total = <span className="total">{totalText(view.total, list)}</span>
  return (
    <Head
      title={view.label}
      beside={total}
      end={view.readOnly !== null && <ReadOnly reason={view.readOnly} />}
    />
  )
}

function ReadOnly({ reason }: { reason: string }) {
  const { list } = useMessages()
  return (
    <span className="note">
      <Icon name="lock" />
      {list.readOnly}
      <span className="why">{reason}</span>
    </span>
  )
}
