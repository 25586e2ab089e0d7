/** Columns that are hidden from everybody, for administrators: their names, why, and how to show one. */

import { useRef } from 'react'
import type { HiddenColumnView, HiddenView } from '../../protocol/table-view.ts'
import { copy } from '../copying/copy.ts'
import { Icon } from './icon.tsx'
import { Shown } from './plain-text.tsx'
import { useNotify } from './toasts.tsx'
import { useMessages } from './use-messages.ts'

type Props = { readonly table: string; readonly hidden: HiddenView }

export function HiddenColumns({ table, hidden }: Props) {
  const { title, note, columns } = hidden
  return (
    <section className="hidden-columns" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{note}</p>
      </header>
      {columns.map((column) => (
        <HiddenColumn key={column.name} {...{ table, hidden, column }} />
      ))}
    </section>
  )
}

type ColumnProps = Props & { readonly column: HiddenColumnView }

function HiddenColumn({ table, hidden, column }: ColumnProps) {
  const lines = linesFor(table, column.name)
  const { failures, record } = useMessages()
  const notify = useNotify()
  const block = useRef<HTMLPreElement>(null)
  const copyLines = async () => {
    const isDone = await copy(lines)
    if (!isDone && block.current) getSelection()?.selectAllChildren(block.current)
    notify(isDone ? failures.copied : record.notCopied)
  }
  return (
    <details>
      <summary>
        <Icon name="next" flip />
        <code>
          <Shown text={column.name} />
        </code>{' '}
        <span className="why">
          <Shown text={column.why} />
        </span>
      </summary>
      <p>{hidden.text}</p>
      <div className="config">
        <pre ref={block} tabIndex={0}>
          {lines}
        </pre>
        <button type="button" className="btn line needs-script" onClick={() => void copyLines()}>
          <Icon name="copy" />
          {hidden.copy}
        </button>
      </div>
    </details>
  )
}

/** The lines of a configuration that show the column. */
const linesFor = (table: string, column: string): string => `tables: {
  ${property(table)}: {
    columns: {
      ${property(column)}: { hidden: false },
    },
  },
},`

const property = (name: string): string =>
  /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? name : JSON.stringify(name)
