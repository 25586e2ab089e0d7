/** Text and numbers, with their unit. */

import type { FieldView } from '../../protocol/record-view.ts'
import { Shown } from '../parts/plain-text.tsx'

type TextValueProps = { value: { text: string }; field: FieldView }

/** Puts currency signs before the number, other units after it. */
export function TextValue({ value: { text }, field: { unit, isFigure } }: TextValueProps) {
  const isMoney = unit !== undefined && /^\p{Sc}$/u.test(unit)
  const amount = (
    <>
      {isMoney && <span className="unit">{unit}</span>}
      <Shown text={text} />
    </>
  )
  return (
    <span className="text">
      {isFigure ? <span className="amount">{amount}</span> : amount}
      {unit !== undefined && !isMoney && <span className="unit"> {unit}</span>}
    </span>
  )
}
