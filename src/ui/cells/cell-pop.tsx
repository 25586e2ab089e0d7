/** What hangs below a cell that was not saved: why, or which of two values stays. */

import type { FieldConflict, FieldInput } from '../../protocol/form-view.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Conflict } from '../record/conflict.tsx'
import { shownText } from '../record/shown-text.ts'

type Props = {
  /** Of the editor. */
  id: string
  field: FieldInput
  text: string | null
  /** Of the related row that was chosen. */
  label: string | undefined
  problem: string | null
  conflict: FieldConflict | undefined
  revert(): void
  keepMine(): void
  /** After a choice. */
  focus(): void
}

export function CellPop(props: Props) {
  const { id, field, text, label, problem, conflict, revert, keepMine, focus } = props
  const messages = useMessages()
  return (
    <div className="cell-pop">
      {problem && (
        <>
          <p id={`${id}-why`} className="err" role="alert">
            <Icon name="warning" />
            {problem}
          </p>
          <button type="button" className="plain" onClick={revert}>
            {messages.cells.putBackValue(shownText(field, field.text, messages))}
          </button>
        </>
      )}
      {conflict && (
        <div id={`${id}-choice`} role="alert">
          <Conflict
            {...{ field, text, label, conflict, keepMine, focus }}
            take={revert}
            hint={<kbd aria-hidden="true">Tab</kbd>}
          />
        </div>
      )}
    </div>
  )
}
