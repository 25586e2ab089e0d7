/** The value of a custom kind on a record page. */

import { useKinds } from './kinds-context.tsx'
import type { ShapeProps } from './shapes.ts'
import { TextValue } from './text.tsx'

/** Without a browser half, shows its text like any other. */
export function OwnValue({ value, field }: ShapeProps<'own'>) {
  const { kind, text, more = null } = value
  const { value: Value, cell: Cell, fits = () => true } = useKinds().get(kind) ?? {}
  const Drawing = Value ?? Cell
  if (!Drawing || !fits(text)) return <TextValue value={value} field={field} />
  return <Drawing text={text} more={more} column={field} />
}
