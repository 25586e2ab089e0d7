/** The record page: one row's fields, links to rows that refer to it, and to its neighbours. */

import { useEffect, useState } from 'react'
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
import { DeleteForm } from '../record/delete-form.tsx'
import { EditLink, MarkedNote, RecordActions } from '../record/record-actions.tsx'
import { Fields } from '../record/fields.tsx'
import { RecordHistory } from '../record/record-history.tsx'
import { RecordForm } from '../record/form.tsx'
import { RelatedRows } from '../record/related-rows.tsx'
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
  const view = useCompleted(component)
  return view.label === null ? (
    <Gone view={view} />
  ) : (
    <Row component={component} view={view} {...others} />
  )
}

/** The view, with what surrounds the row once the server has found it. */
function useCompleted(component: string): RecordView | GoneView {
  const { view, call } = useComponent<RecordComponent>(component)
  const [answer, setAnswer] = useState<{ of: RecordView; around: AroundView }>()
  useEffect(() => {
    if (view.label === null || !view.isPartial) return
    let isCurrent = true
    call.around().then(
      (around) => isCurrent && around && setAnswer({ of: view, around }),
      // The view stays; the page's failure display says what went wrong.
      () => undefined,
    )
    return () => void (isCurrent = false)
  }, [view, call])
  if (view.label === null || !view.isPartial || !answer) return view
  // A newer view of the same row keeps the last answer until the next one comes.
  const { table, key } = answer.of
  return table === view.table && key === view.key ? { ...view, ...answer.around } : view
}

type RowProps = Props & { view: RecordView }

function Row({ component, view, form, history, posted }: RowProps) {
  const { record } = useMessages()
  const { label, tableLabel, key, readOnly, marked } = view
  useRecordCommands(view)
  const name = record.unnamed(tableLabel, key)
  return (
    <>
      <Head
        title={label}
        beside={
          label !== name && (
            <span className="total name">
              <Shown text={name} />
            </span>
          )
        }
        end={form === undefined && <EditLink view={view} />}
      />
      <div className="bar">
        <StepLinks view={view} />
        {form === undefined && <RecordActions component={component} view={view} />}
      </div>
      <div className="record" tabIndex={0} role="region" aria-label={label}>
        <div className="record-main">
          {readOnly !== null && <ReadOnly reason={readOnly} />}
          {marked && <MarkedNote component={component} marked={marked} />}
          {view.hanging && (
            <DeleteForm view={view} hanging={view.hanging} errors={posted?.errors[''] ?? []} />
          )}
          {form === undefined ? (
            <Fields sections={view.sections} />
          ) : (
            <RecordForm component={form} posted={posted} />
          )}
          {view.hidden && <HiddenColumns table={view.table} hidden={view.hidden} />}
        </div>
        {(view.related.length > 0 || history !== undefined) && (
          <div className="record-side">
            <RelatedRows related={view.related} />
            {history !== undefined && <RecordHistory component={history} />}
          </div>
        )}
      </div>
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
