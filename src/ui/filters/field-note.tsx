/** A sentence under fields that says what they lack, announced politely. */

import type { ReactNode } from 'react'

type FieldNoteProps = { id: string; isWrong: boolean; children: ReactNode }

export const FieldNote = ({ id, isWrong, children }: FieldNoteProps) => (
  <p id={id} className={isWrong ? 'err' : 'hint'} role="status">
    {children}
  </p>
)
