/** The full value of a field: drawn by its shape, or as NULL, empty or forbidden. */

import type { ComponentType } from 'react'
import type { FieldView } from '../../protocol/record-view.ts'
import { BytesValue } from '../kinds/binary.tsx'
import { ColourValue } from '../kinds/colour.tsx'
import { MomentValue } from '../kinds/datetime.tsx'
import { FilesValue } from '../kinds/file-value.tsx'
import { LinkValue } from '../kinds/link.tsx'
import { LongValue } from '../kinds/longtext.tsx'
import { OwnValue } from '../kinds/own.tsx'
import { RecordValue } from '../kinds/relation.tsx'
import type { Shape, ShapeProps } from '../kinds/shapes.ts'
import { StatusValue } from '../kinds/status.tsx'
import { TextValue } from '../kinds/text.tsx'
import { Absent } from '../parts/absent.tsx'
import { useMessages } from '../parts/use-messages.ts'

/** The component that draws each shape of value. */
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
  files: FilesValue,
}

export function FieldContent({ field }: { field: FieldView }) {
  const { value } = field
  if (value.is === 'null' || value.is === 'empty') return <Absent as={value.is} />
  if (value.is === 'no-access') return <NoAccess />
  // `SHAPES` is keyed by `is`; the compiler cannot relate a value to its component that way.
  const Drawing = SHAPES[value.is] as ComponentType<ShapeProps>
  return <Drawing value={value} field={field} />
}

/** Shows the words beside the hatch, since there is room for them here. */
function NoAccess() {
  const { cell } = useMessages()
  return (
    <span className="absent no-access">
      <span> {cell.noAccess}</span>
    </span>
  )
}
