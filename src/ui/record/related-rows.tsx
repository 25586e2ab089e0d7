/** The rows that refer to this one: the first of each table, where all of them are, and what there is none of. */

import { recordHref, type RelatedPage, type RelatedView } from '../../protocol/record-view.ts'
import { labelOfRow, type Row } from '../../protocol/table-view.ts'
import { useKinds } from '../kinds/kinds-context.tsx'
import { cellValue } from '../list/cell-value.tsx'
import { cellAt, type DrawnColumn, drawnColumns } from '../list/drawn-columns.ts'
import { totalText } from '../list/total-text.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'

export function RelatedRows({ related }: { related: readonly RelatedView[] }) {
  const { record } = useMessages()
  if (related.length === 0) return null
  const none = related.filter(({ count }) => isNone(count))
  return (
    <nav className="related" aria-label={record.related}>
      {related
        .filter((one) => !none.includes(one))
        .map((one) => (
          <RelatedTable key={one.href} related={one} />
        ))}
      {none.length > 0 && (
        <p className="none">
          {record.nothingIn}{' '}
          {none.map(({ label, href }, at) => (
            <span key={href}>
              {at > 0 && ', '}
              <a href={href}>
                <Shown text={label} />
              </a>
            </span>
          ))}
        </p>
      )}
    </nav>
  )
}

const isNone = (count: RelatedView['count']) => 'count' in count && count.count === 0

function RelatedTable({ related: { label, href, list, count, first } }: { related: RelatedView }) {
  const { list: words, record } = useMessages()
  const text = count.kind === 'atLeast' ? count.text : totalText(count, words)
  return (
    <section>
      <h2>
        <a href={href}>
          <span className="name">
            <Shown text={label} />
          </span>{' '}
          <b className={count.kind === 'counting' ? 'needs-script' : undefined}>{text}</b>
        </a>
        {first?.isAll === false && 'text' in count && (
          <a className="all" href={href} aria-label={record.allOf(text, label)}>
            {record.all(text)}
          </a>
        )}
      </h2>
      {first && <Lines first={first} list={list} />}
    </section>
  )
}

function Lines({ first, list }: { first: RelatedPage; list: string }) {
  const kinds = useKinds()
  const columns = drawnColumns(first, kinds)
  const except = new Set(first.except)
  return (
    <ul>
      {first.rows.map((row, place) => (
        <li key={row[0] || place}>
          {except.has(place) ? (
            <span className="line">
              <Line row={row} columns={columns} />
            </span>
          ) : (
            <a className="line" href={recordHref(list, row[0], '')}>
              <Line row={row} columns={columns} />
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

const DATES: ReadonlySet<string> = new Set(['date', 'datetime'])

/** What names the row comes first, so that it is read first; the date stands before it. */
function Line({ row, columns }: { row: Row; columns: readonly DrawnColumn[] }) {
  return columns.map((drawn, at) => {
    const { name, kind, unit } = drawn.column
    const cell = cellAt(row, drawn.place)
    const place = at === 0 ? 'name' : DATES.has(kind) ? 'date' : 'end'
    const isAbsent = cell === null || cell === '' || cell === 0
    return (
      <span key={name} className={place}>
        {isAbsent && at === 0 ? (
          <Shown text={labelOfRow(row)} />
        ) : (
          cellValue({ cell, drawn, isPlain: true })
        )}
        {unit !== undefined && !isAbsent && <span className="unit"> {unit}</span>}{' '}
      </span>
    )
  })
}
