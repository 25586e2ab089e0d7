/** The rows that refer to this one: the first of each table, where all of them are, and what there is none of. */

import { recordHref, type RelatedPage, type RelatedView } from '../../protocol/record-view.ts'
import { type Cell, labelOfRow, type Row } from '../../protocol/table-view.ts'
import { useKinds } from '../kinds/kinds-context.tsx'
import { cellValue } from '../list/cell-value.tsx'
import { cellAt, type DrawnColumn, drawnColumns } from '../list/drawn-columns.ts'
import { totalText } from '../list/total-text.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'

/** Where they stand below the fields: how many there are, and the way there. */
export function RelatedJumps({ related }: { related: readonly RelatedView[] }) {
  const some = related.filter(({ count }) => !isNone(count))
  if (some.length === 0) return null
  return (
    <ul className="jumps">
      {some.map((one) => (
        <li key={one.href}>
          <a href={`#${idOf(related.indexOf(one))}`}>
            {'text' in one.count && <b>{one.count.text}</b>} <Shown text={one.label} />
          </a>
        </li>
      ))}
    </ul>
  )
}

const idOf = (place: number): string => `related-${place}`

export function RelatedRows({ related }: { related: readonly RelatedView[] }) {
  const { record } = useMessages()
  if (related.length === 0) return null
  const none = related.filter(({ count }) => isNone(count))
  return (
    <nav className="related" aria-label={record.related}>
      {related.map(
        (one, place) =>
          !none.includes(one) && <RelatedTable key={one.href} id={idOf(place)} related={one} />,
      )}
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

function RelatedTable({ id, related }: { id: string; related: RelatedView }) {
  const { label, href, list, count, first } = related
  const { list: words, record } = useMessages()
  const text = count.kind === 'atLeast' ? count.text : totalText(count, words)
  return (
    <section id={id}>
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
              <Line row={row} columns={columns} names={first.names} />
            </span>
          ) : (
            <a className="line" href={recordHref(list, row[0], '')}>
              <Line row={row} columns={columns} names={first.names} />
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

const DATES: ReadonlySet<string> = new Set(['date', 'datetime'])
/** Whether a value could be of anything, and so stands with its label. */
const isBare = (cell: Cell, { kind, unit }: DrawnColumn['column']): boolean =>
  unit === undefined &&
  typeof cell !== 'number' &&
  (kind === 'boolean' || /^[-\d.,\s]+$/.test((Array.isArray(cell) ? cell[0] : cell) ?? ''))

type LineProps = { row: Row; columns: readonly DrawnColumn[]; names: number | undefined }

/** What names the row comes first, so that it is read first; the date stands before it. */
function Line({ row, columns: [first, ...others], names = 1 }: LineProps) {
  const rest = others.slice(names - 1)
  return (
    <>
      {first && <Value row={row} drawn={first} place="name" isLabel={names > 1} />}
      {rest.map((drawn) => {
        const place = DATES.has(drawn.column.kind) ? 'date' : 'end'
        return <Value key={drawn.column.name} row={row} drawn={drawn} place={place} />
      })}
    </>
  )
}

type ValueProps = {
  row: Row
  drawn: DrawnColumn
  place: 'name' | 'date' | 'end'
  isLabel?: boolean
}

/** `isLabel`: the name of the row stands for the value, as it does where there is none to name it. */
function Value({ row, drawn, place, isLabel = false }: ValueProps) {
  const { unit, label } = drawn.column
  const cell = cellAt(row, drawn.place)
  const isAbsent = cell === null || cell === '' || cell === 0
  return (
    <span className={place}>
      {place !== 'date' && !isLabel && isBare(cell, drawn.column) && (
        <span className="unit">
          <Shown text={label} />{' '}
        </span>
      )}
      {isLabel || (isAbsent && place === 'name') ? (
        <Shown text={labelOfRow(row)} />
      ) : (
        cellValue({ cell, drawn, isPlain: true })
      )}
      {unit !== undefined && !isAbsent && <span className="unit"> {unit}</span>}{' '}
    </span>
  )
}
