/** The table under an empty list: how many rows there would be without each of its conditions. */

import { useEffect, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { KeptOut as Ledger, TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { Shown } from '../parts/plain-text.tsx'

/** `component`: id of the listing. */
export function KeptOut({ component, view }: { component: string; view: TableView }) {
  const of = JSON.stringify([view.search, view.filters.values])
  const ledger = useLedger(component, of)
  // One condition alone keeps all of them out, and the button above removes it.
  if (!ledger || ledger.lines.length < 2) return null
  const { title, lead, without, rows, lines, any, note } = ledger
  return (
    <>
      <p>{lead}</p>
      <table className="without" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{without}</th>
            <th scope="col">{rows}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <Line key={at} {...line} />
          ))}
        </tbody>
        {any && (
          <tfoot>
            <Line {...any} />
          </tfoot>
        )}
      </table>
      <p className="hint">{note}</p>
    </>
  )
}

const Line = ({ label, value, count, href, name }: Ledger['lines'][number]) => (
  <tr>
    <th scope="row">
      <span className="muted">
        <Shown text={label} />
      </span>{' '}
      <Shown text={value} />
    </th>
    <td>
      {href === null ? (
        <span className="muted">{count}</span>
      ) : (
        <a className="link" href={href} aria-label={name ?? undefined}>
          {count}
        </a>
      )}
    </td>
  </tr>
)

/** Asks beside the page, again for other conditions; an answer to earlier ones is not shown. */
function useLedger(component: string, of: string): Ledger | undefined {
  const { cancellable } = useComponent<TableComponent>(component)
  const [answer, setAnswer] = useState<{ of: string; ledger: Ledger }>()
  useEffect(() => {
    const left = new AbortController()
    cancellable(left.signal)
      .keptOut()
      .then(
        (ledger) => setAnswer({ of, ledger }),
        // The page's failure display says what went wrong; the buttons above work without it.
        () => undefined,
      )
    return () => left.abort()
  }, [of, cancellable])
  return answer?.of === of ? answer.ledger : undefined
}
