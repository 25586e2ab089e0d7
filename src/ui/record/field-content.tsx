/** The value of a field, whole: each shape as itself, and four ways to be absent. */

import type { ComponentType } from 'react'
import type { FieldView } from '../../protocol/record-view.ts'
import { BytesValue } from '../kinds/binary.tsx'
import { ColourValue } from '../kinds/colour.tsx'
import { MomentValue } from '../kinds/datetime.tsx'
import { LinkValue } from '../kinds/link.tsx'
import { LongValue } from '../kinds/longtext.tsx'
import { OwnValue } from '../kinds/own.tsx'
import { RecordValue } from '../kinds/relation.tsx'
import type { Shape, ShapeProps } from '../kinds/shapes.ts'
import { StatusValue } from '../kinds/status.tsx'
import { TextValue } from '../kinds/text.tsx'
import { Absent } from '../parts/absent.tsx'
import { useMessages } from '../parts/use-messages.ts'

/** The shapes of values that kinds are shown in, and what draws each. */
const SHAPES: { readonly [Is in Shape]: ComponentType<ShapeProps<Is>> } = {
  text: TextValue,
  status: StatusValue,
  colour: ColourValue,
  record: RecordValue,
  link: LinkValue,
  moment: MomentValue,
  long: LongValue,
  bytes: BytesValue,
  own: OwnValue,
}

export function FieldContent({ field }: { field: FieldView }) {
  const { value } = field
  if (value.is === 'null' || value.is === 'empty') return <Absent as={value.is} />
  if (value.is === 'no-access') return <NoAccess />
  // The table above goes by `is`, which the compiler cannot follow from a value to its component.
  const Drawing = SHAPES[value.is] as ComponentType<ShapeProps>
  return <Drawing value={value} field={field} />
}

/** The words beside the hatch: here is room for them. */
function NoAccess() {
  const { cell } = useMessages()
  return (
    <span className="absent no-access">
      <span> {cell.noAccess}</span>
    </span>
  )
}
