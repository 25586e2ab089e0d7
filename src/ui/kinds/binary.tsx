/** Bytes: how many, and the first of them. */

import { useMessages } from '../parts/use-messages.ts'
import type { ShapeProps } from './shapes.ts'

export function BytesValue({ value: { size, first, isAll, download } }: ShapeProps<'bytes'>) {
  const { record } = useMessages()
  return (
    <>
      <span className="text">{isAll ? size : record.beginning(size)}</span>
      {download && (
        <>
          {' '}
          <a className="link" href={download.href} download>
            {download.text}
          </a>
        </>
      )}
      {first !== '' && <pre className="bytes">{first}</pre>}
    </>
  )
}
