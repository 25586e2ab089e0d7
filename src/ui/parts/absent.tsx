/** A value that is absent: NULL, empty text, or forbidden; each looks different. */

import { useMessages } from './use-messages.ts'

const SHOWN = { null: '–', empty: '“ ”' }

export function Absent({ as }: { as: 'null' | 'empty' | 'noAccess' }) {
  const { cell } = useMessages()
  if (as === 'noAccess')
    return (
      <span className="absent no-access">
        <span className="sr">{cell.noAccess}</span>
      </span>
    )
  return (
    <span className="absent">
      {SHOWN[as]}
      <span className="sr">{` ${cell[as]}`}</span>
    </span>
  )
}
