/** The fields of a record as they are read, in their sections. */

import { useId } from 'react'
import type { FieldsView, FieldValue, FieldView, RecordView } from '../../protocol/record-view.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { FieldContent } from './field-content.tsx'
import { HEAD_LINES, inColumns, LONG_LINES } from './two-columns.ts'
import { type ChangedFields, useChangedFields } from './use-changed-fields.ts'
import { type AskWhole, WholeValues } from './whole-values.ts'

type Props = { view: RecordView; isDeleted: boolean; whole: AskWhole }

export function Fields({ view, isDeleted, whole }: Props) {
  const changed = useChangedFields(view)
  const { record } = useMessages()
  const labels = [...changed.labels.values()].join(', ')
  return (
    <WholeValues value={whole}>
      <div className={isDeleted ? 'sections deleted' : 'sections'}>
        {inColumns(view.sections, linesOf).map((column, at) => (
          <div key={at} className="column">
            {column.map((section) => (
              <Section key={section.title ?? ''} section={section} changed={changed} />
            ))}
          </div>
        ))}
      </div>
      <p className="sr" role="status">
        {labels !== '' && record.changed(labels)}
      </p>
    </WholeValues>
  )
}

/** How high a section is, about. */
const linesOf = ({ fields }: FieldsView): number =>
  fields.reduce((sum, { value }) => sum + linesIn(value), HEAD_LINES)

const linesIn = (value: FieldValue): number =>
  value.is === 'files'
    ? LONG_LINES * Math.ceil(value.files.length / 2)
    : value.is === 'long' || value.is === 'bytes'
      ? LONG_LINES
      : 1

type SectionProps = { section: FieldsView; changed: ChangedFields }

function Section({ section: { title, help, note, fields }, changed }: SectionProps) {
  const { record } = useMessages()
  const id = useId()
  return (
    <section>
      {(title !== null || note !== undefined) && (
        <div className="cap">
          {title !== null && <h2 id={id}>{title}</h2>}
          {note !== undefined && <p className="hint">{note}</p>}
        </div>
      )}
      {help !== undefined && <p className="hint">{help}</p>}
      <dl
        className="fields"
        {...(title === null ? { 'aria-label': record.fields } : { 'aria-labelledby': id })}
      >
        {fields.map((field) => {
          const isChanged = changed.labels.has(field.name)
          const key = isChanged ? `${field.name} ${changed.round}` : field.name
          return <Field key={key} field={field} isChanged={isChanged} />
        })}
      </dl>
    </section>
  )
}

function Field({ field, isChanged }: { field: FieldView; isChanged: boolean }) {
  return (
    <div className={isChanged ? 'changed' : undefined}>
      <dt>
        <Shown text={field.label} />
        {field.help !== undefined && <p className="hint">{field.help}</p>}
      </dt>
      <dd className={field.isFigure ? 'figure' : undefined}>
        <FieldContent field={field} />
        {field.note !== undefined && <p className="hint">{field.note}</p>}
      </dd>
    </div>
  )
}
