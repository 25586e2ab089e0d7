/** What a column holds, in the menu of its head: its kind, its type in the database, and its comment there. */

import { useEffect, useState } from 'react'
import type { AboutColumn, TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { Shown } from '../parts/plain-text.tsx'

/** `id`: names it for the menu, which it describes. */
type Props = { id: string; component: string; name: string }

/** Takes its room before it is known. Without an answer it stays empty: nothing depends on it. */
export function ColumnAbout({ id, component, name }: Props) {
  const { cancellable } = useComponent<TableComponent>(component)
  const [about, setAbout] = useState<AboutColumn | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    cancellable(stop.signal)
      .describeColumn(name)
      .then(setAbout, () => undefined)
    return () => stop.abort()
  }, [cancellable, name])
  return (
    <div id={id} className="columnabout">
      <p>{about && <Shown text={about.text} />}</p>
      {about?.help && (
        <p>
          <Shown text={about.help} />
        </p>
      )}
    </div>
  )
}
