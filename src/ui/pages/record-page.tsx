/** The record page: one row's fields, links to rows that refer to it, and to its neighbours. */

import { type ReactNode, useEffect, useState } from 'react'
import type { PostedForm } from '../../protocol/form-view.ts'
import type {
  AroundView,
  GoneView,
  RecordComponent,
  RecordView,
} from '../../protocol/record-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { Blank } from '../parts/blank.tsx'
import { HiddenColumns } from '../parts/hidden-columns.tsx'
import { Head } from '../parts/head.tsx'
import { ReadOnly } from '../parts/read-only.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { DeletedPill, DeletedStripe } from '../record/deleted-note.tsx'
import { DeleteForm } from '../record/delete-form.tsx'
import { MainAction, RecordActions } from '../record/record-actions.tsx'
import { Fields } from '../record/fields.tsx'
import { RecordHistory } from '../record/record-history.tsx'
import { RecordForm } from '../record/form.tsx'
import { RelatedJumps, RelatedRows } from '../record/related-rows.tsx'
import { StepLinks } from '../record/step-links.tsx'
import { Shown } from '../parts/plain-text.tsx'

/** Draws the row whose component has the id `component`. */
type Props = {
  component: string
  form?: string | undefined
  history?: string | undefined
  /** A form that was posted without script and not saved. */
  posted: PostedForm | null
}

export function RecordPage({ component, ...others }: Props) {
  const { view } = useComponent<RecordComponent>(component)
  const [last, setLast] = useState(view)
  if (view.label !== null && view !== last) setLast(view)
  if (view.label !== null) return <Row component={component} view={view} gone={null} {...others} />
  // What was deleted stays in sight; what somebody may not see any more does not.
  const isOutOfSight = view.how === null && others.form === undefined
  if (last.label === null || isOutOfSight) return <Gone view={view} />
  return <Row component={component} view={last} gone={view} {...others} />
}

/** The view, with what surrounds the row once the server has found it. */
function useCompleted(component: string, view: RecordView): RecordView {
  const { call } = useComponent<RecordComponent>(component)
  const [answer, setAnswer] = useState<{ of: RecordView; around: AroundView }>()
  useEffect(() => {
    if (!view.isPartial) return
    let isCurrent = true
    call.around().then(
      (around) => isCurrent && around && setAnswer({ of: view, around }),
      // The view stays; the page's failure display says what went wrong.
      () => undefined,
    )
    return () => void (isCurrent = false)
  }, [view, call])
  if (!view.isPartial || !answer) return view
  // A newer view of the same row keeps the last answer until the next one comes.
  const { table, key } = answer.of
  return table === view.table && key === view.key ? { ...view, ...answer.around } : view
}

type RowProps = Props & {
  view: RecordView
  /** What is known of it since it has gone. */
  gone: GoneView | null
}

function Row({ component, view: shown, gone, form, history, posted }: RowProps) {
  const { call } = useComponent<RecordComponent>(component)
  const view = useCompleted(component, shown)
  const { record } = useMessages()
  const { label, tableLabel, key, readOnly, marked } = view
  useRecordCommands(view)
  const name = record.unnamed(tableLabel, key)
  const beside = label === name ? view.tells : name
  const isDeleted = gone !== null || marked !== undefined
  const isRead = form === undefined && gone === null
  const steps = <StepLinks view={view} />
  const page = (fields: ReactNode) => (
    <div className="record" tabIndex={0} role="region" aria-label={label}>
      {isRead && <RelatedJumps related={view.related} />}
      <div className="record-main">
        {readOnly !== null && <ReadOnly reason={readOnly} />}
        {view.hanging && (
          <DeleteForm view={view} hanging={view.hanging} errors={posted?.errors[''] ?? []} />
        )}
        {fields}
        {view.hidden && <HiddenColumns table={view.table} hidden={view.hidden} />}
      </div>
      {(view.related.length > 0 || history !== undefined) && (
        <div className="record-side">
          {gone === null && <RelatedRows related={view.related} />}
          {history !== undefined && <RecordHistory component={history} isGone={gone !== null} />}
        </div>
      )}
    </div>
  )
  return (
    <>
      <Head
        title={label}
        isDeleted={isDeleted}
        beside={
          <>
            {beside !== undefined && (
              <span className={label === name ? 'total name tells' : 'total name'}>
                <Shown text={beside} />
              </span>
            )}
            {isDeleted && <DeletedPill />}
          </>
        }
        end={isRead && <MainAction component={component} view={view} />}
      />
      {gone ? (
        <DeletedStripe text={gone.how ?? record.goneText} />
      ) : (
        marked && <DeletedStripe text={marked.text} />
      )}
      {form === undefined ? (
        <>
          <div className="bar">
            {steps}
            {isRead && <RecordActions component={component} view={view} />}
          </div>
          {page(<Fields view={view} isDeleted={isDeleted} whole={call.whole} />)}
        </>
      ) : (
        <RecordForm component={form} posted={posted} start={steps} page={page} />
      )}
    </>
  )
}

function Gone({ view }: { view: GoneView }) {
  const { record } = useMessages()
  // The breadcrumbs still end with the row's name; before it stands the table.
  const name = usePage().breadcrumbs.at(-1)?.label ?? view.tableLabel
  return (
    <>
      <Head title={name} />
      <Blank kind="none" title={record.goneTitle} text={record.goneText}>
        <a className="btn line" href={view.listHref}>
          {record.back}
        </a>
      </Blank>
    </>
  )
}

function useRecordCommands({ previous, next, listHref }: RecordView): void {
  const { keys, record } = useMessages()
  const step = { line: keys.steps }
  useCommands(keys.record, [
    next !== undefined && { ...step, label: record.next, keys: 'j', icon: 'next', href: next },
    previous !== undefined && {
      ...{ ...step, label: record.previous, keys: 'k', icon: 'previous' },
      href: previous,
    },
    { label: keys.back, keys: 'u', icon: 'up', href: listHref },
  ])
}
