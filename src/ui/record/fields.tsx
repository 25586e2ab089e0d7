/** The fields of a record as they are read, in their sections. */

import { useId } from 'react'
import type { FieldsView, FieldView } from '../../protocol/record-view.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { FieldContent } from './field-content.tsx'

export const Fields = ({ sections }: { sections: readonly FieldsView[] }) => (
  <div className="sections">
    {sections.map((section, at) => (
      <Section key={section.title ?? at} section={section} />
    ))}
  </div>
)

function Section({ section: { title, help, note, fields } }: { section: FieldsView }) {
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
        {fields.map((field) => (
          <Field key={field.name} field={field} />
        ))}
      </dl>
    </section>
  )
}

function Field({ field }: { field: FieldView }) {
  return (
    <div>
      <dt>
        <Shown text={field.label} />
        {field.help !== undefined && <p className="hint">{field.help}</p>}
      </dt>
      <dd className={field.isFigure && 'figure'}>
        <FieldContent field={field} />
        {field.note !== undefined && <p className="hint">{field.note}</p>}
      </dd>
    </div>
  )
}
