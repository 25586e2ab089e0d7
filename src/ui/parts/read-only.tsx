/** Says that rows cannot be changed, and why. */

import { Icon } from './icon.tsx'
import { useMessages } from './use-messages.ts'

export function ReadOnly({ reason }: { reason: string }) {
  const { list } = useMessages()
  return (
    <span className="note">
      <Icon name="lock" />
      {list.readOnly}
      <span className="why">{reason}</span>
    </span>
  )
}
