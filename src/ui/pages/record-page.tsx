/** The record page: one row's fields, links to rows that refer to it, and to its neighbours. */

import { useEffect } from 'react'
import type {
  FieldView,
  GoneView,
  RecordComponent,
  RecordView,
} from '../../protocol/record-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { ReadOnly } from '../parts/read-only.tsx'
import { useKeys } from '../parts/use-keys.ts'
import { useMessages } from '../parts/use-messages.ts'
import { FieldContent } from '../record/field-content.tsx'
import { RelatedLinks } from '../record/related-links.tsx'
import { StepLinks } from '../record/step-links.tsx'

/** Draws the row whose component has the id `component`. */
export function RecordPage({ component }: { component: string }) {
  const { view, call } = useComponent<RecordComponent>(component)
  const isPartial = view.label !== null && view.isPartial
  useEffect(() => {
    // On failure, the view stays; the page's failure display says what went wrong.
    if (isPartial) call.refresh().catch(() => undefined)
  }, [isPartial, call])
  return view.label === null ? <Gone view={view} /> : <Shown view={view} />
}

function Shown({ view }: { view: RecordView }) {
  const { record } = useMessages()
  const { label, tableLabel, key, readOnly } = view
  useRecordKeys(view)
  const name = record.unnamed(tableLabel, key)
  return (
    <>
      <Head
        title={label}
        beside={label !== name && <span className="total">{name}</span>}
        end={<StepLinks view={view} />}
      />
      <div className="record" tabIndex={0} role="region" aria-label={label}>
        <div className="about">
          <RelatedLinks related={view.related} />
          {readOnly !== null && <ReadOnly reason={readOnly} />}
        </div>
        <Fields fields={view.fields} />
      </div>
    </>
  )
}

function Fields({ fields }: { fields: readonly FieldView[] }) {
  const { record } = useMessages()
  return (
    <dl className="fields" aria-label={record.fields}>
      {fields.map((field) => (
        <div key={field.name}>
          <dt>
            {field.label}
            {field.help !== undefined && <p className="hint">{field.help}</p>}
          </dt>
          <dd>
            <FieldContent field={field} />
            {field.note !== undefined && <p className="hint">{field.note}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Gone({ view }: { view: GoneView }) {
  const { record } = useMessages()
  return (
    <>
      <Head title={view.tableLabel} />
      <Blank kind="none" title={record.goneTitle} text={record.goneText}>
        <a className="btn line" href={view.listHref}>
          {record.back}
        </a>
      </Blank>
    </>
  )
}

function useRecordKeys({ previous, next, listHref }: RecordView): void {
  const { load } = useRuntime()
  useKeys({
    j: () => next !== undefined && load(next),
    k: () => previous !== undefined && load(previous),
    u: () => load(listHref),
  })
}
