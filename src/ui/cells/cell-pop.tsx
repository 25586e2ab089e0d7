/** What hangs below a cell that was not saved: why, or which of two values stays. */

import type { FieldConflict, FieldInput } from '../../protocol/form-view.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Conflict } from '../record/field-input.tsx'

type Props = {
  /** Of the editor. */
  id: string
  field: FieldInput
  text: string | null
  problem: string | null
  conflict: FieldConflict | undefined
  revert(): void
  keepMine(): void
  /** After a choice. */
  focus(): void
}

export function CellPop({ id, field, text, problem, conflict, revert, keepMine, focus }: Props) {
  const { cells, editing } = useMessages()
  return (
    <div className="cell-pop">
      {problem && (
        <>
          <p id={`${id}-why`} className="err" role="alert">
            <Icon name="warning" />
            {problem}
          </p>
          <button type="button" className="plain" onClick={revert}>
            {cells.putBackValue(field.text ?? editing.noValue)}
          </button>
        </>
      )}
      {conflict && (
        <div id={`${id}-choice`} role="alert">
          <Conflict
            {...{ field, text, conflict, keepMine, focus }}
            take={revert}
            hint={<kbd aria-hidden="true">Tab</kbd>}
          />
        </div>
      )}
    </div>
  )
}
