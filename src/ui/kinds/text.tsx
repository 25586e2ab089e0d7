/** Text and numbers, with their unit. */

import type { FieldView } from '../../protocol/record-view.ts'
import { Shown } from '../parts/plain-text.tsx'

type TextValueProps = { value: { text: string }; field: FieldView }

/** Puts currency signs before the number, other units after it. */
export function TextValue({ value: { text }, field: { unit } }: TextValueProps) {
  const isMoney = unit !== undefined && /^\p{Sc}$/u.test(unit)
  return (
    <span className="text">
      {isMoney && <span className="unit">{unit}</span>}
      <Shown text={text} />
      {unit !== undefined && !isMoney && <span className="unit"> {unit}</span>}
    </span>
  )
}
