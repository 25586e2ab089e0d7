/** Says that a row is deleted or marked as deleted: a pill beside its name, and a strip below. */

import type { ReactNode } from 'react'
import { Icon, StatusMark } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

export function DeletedPill() {
  const { record } = useMessages()
  return (
    <span className="pill idle">
      <StatusMark tone="idle" />
      {record.deleted}
    </span>
  )
}

export const DeletedStripe = ({ text, children }: { text: string; children?: ReactNode }) => (
  <div className="stripe idle" role="status">
    <Icon name="close" />
    <span>{text}</span>
    {children}
  </div>
)
