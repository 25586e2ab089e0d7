/** The panel beside a list in which a row is peeked at: its fields, what refers to it, and the way to its page. */

import { type KeyboardEvent, useId } from 'react'
import type { RecordView, RelatedView } from '../../protocol/record-view.ts'
import { fromQuery, recordHref } from '../../protocol/record-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { labelOfRow, type TableView } from '../../protocol/table-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { DeletedStripe } from '../record/deleted-note.tsx'
import { Fields } from '../record/fields.tsx'
import { keysOnPage } from '../selection/pick-cells.tsx'
import { usePeeked, useRelated } from './use-peeked.ts'

type Props = {
  /** Id of the listing. */
  component: string
  view: TableView
  /** Key of the row. */
  row: string
  close(): void
  /** Goes on to another row of the page, if there is one at this distance. */
  step(by: number): void
  copyLink(): void
}

export function PeekPanel({ component, view, row, close, step, copyLink }: Props) {
  const { peek: words, copying } = useBulkWords()
  const { editing } = useMessages()
  const id = useId()
  const { peeked, isFailed, readAgain } = usePeeked(component, row, view)
  const listed = view.rows.find(([key]) => key === row)
  const keys = keysOnPage(view)
  const at = keys.indexOf(row)
  const name = peeked?.name ?? (listed ? labelOfRow(listed) : row)
  const isGone = peeked?.row.label === null
  const { tells, editHref } = peeked?.row.label == null ? NOTHING : peeked.row
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { j: 1, k: -1 }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    step(by)
  }
  return (
    <aside className="peek" aria-labelledby={id} onKeyDown={onKeyDown}>
      <header>
        <h2 id={id} aria-label={words.name(name)}>
          <Shown text={name} />
          {tells !== undefined && (
            <>
              {' '}
              <span className="total name">
                <Shown text={tells} />
              </span>
            </>
          )}
        </h2>
        <span className="end">
          <StepButton icon="up" label={words.previous} go={at > 0 && (() => step(-1))} />
          <StepButton icon="down" label={words.next} go={at < keys.length - 1 && (() => step(1))} />
          <button type="button" className="btn icon" aria-label={words.close} onClick={close}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      <div
        className="in-peek"
        tabIndex={0}
        role="region"
        aria-label={name}
        aria-busy={peeked === null && !isFailed}
      >
        {isFailed ? (
          <>
            <p>{words.failed}</p>
            <button type="button" className="btn" onClick={readAgain}>
              {words.again}
            </button>
          </>
        ) : peeked === null ? (
          <p className="muted">{words.loading}</p>
        ) : (
          <PeekedRow key={peeked.key} component={component} row={peeked.key} view={peeked.row} />
        )}
      </div>
      <footer>
        <span className="hints" aria-hidden="true">
          <kbd>Space</kbd> {words.closes}, <kbd>↑</kbd>
          <kbd>↓</kbd> {words.moveOn}
        </span>
        {!isGone && (
          <>
            <button type="button" className="btn" onClick={copyLink}>
              <Icon name="copy" />
              {copying.link}
            </button>
            {editHref !== undefined && (
              <a className="btn" href={editHref}>
                {editing.edit}
              </a>
            )}
            <a
              className="btn main"
              href={recordHref(view.href, row, fromQuery(view.records?.from ?? ''))}
            >
              {words.whole}
            </a>
          </>
        )}
      </footer>
    </aside>
  )
}

const NOTHING: Pick<RecordView, 'tells' | 'editHref'> = {}

type StepProps = { icon: 'up' | 'down'; label: string; go: false | (() => void) }

/** Without a target it stays, so that the focus is not lost. */
const StepButton = ({ icon, label, go }: StepProps) => (
  <button
    type="button"
    className="btn icon"
    aria-label={label}
    aria-disabled={!go}
    onClick={go || undefined}
  >
    <Icon name={icon} />
  </button>
)

type PeekedProps = Pick<Props, 'component' | 'row'> & {
  view: RecordView | { readonly label: null }
}

function PeekedRow({ component, row, view }: PeekedProps) {
  const { record } = useMessages()
  const { call } = useComponent<TableComponent>(component)
  const related = useRelated(component, row, view)
  if (view.label === null)
    return (
      <p>
        <b>{record.goneTitle}</b> {record.goneText}
      </p>
    )
  return (
    <>
      {view.marked && <DeletedStripe text={view.marked.text} />}
      <Fields
        view={view}
        isDeleted={view.marked !== undefined}
        whole={(column) => call.peekWhole(row, column)}
      />
      <Related related={related} />
    </>
  )
}

/** How many rows refer to it, where there are any or it is not known. */
function Related({ related }: { related: readonly RelatedView[] }) {
  const { record } = useMessages()
  const some = related.filter(({ count }) => !('count' in count && count.count === 0))
  if (some.length === 0) return null
  return (
    <nav className="rel" aria-label={record.related}>
      {some.map(({ label, href, count }) => (
        <a key={href} href={href}>
          {'text' in count && <b>{count.text}</b>} <Shown text={label} />
        </a>
      ))}
    </nav>
  )
}
