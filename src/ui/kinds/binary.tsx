/** Bytes: how many, and the first of them. */

import { useMessages } from '../parts/use-messages.ts'
import type { ShapeProps } from './shapes.ts'

export function BytesValue({ value: { size, first, isAll } }: ShapeProps<'bytes'>) {
  const { record } = useMessages()
  return (
    <>
      <span className="text">{isAll ? size : record.beginning(size)}</span>
      {first !== '' && <pre className="bytes">{first}</pre>}
    </>
  )
}
