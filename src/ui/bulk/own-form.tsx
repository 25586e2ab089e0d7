/** Asks what an action of the table's own needs, with the fields of records. */

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Typed } from '../../protocol/component-types.ts'
import type { FieldInput, FieldTexts } from '../../protocol/form-view.ts'
import type { BulkActions } from '../../protocol/plan-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { FieldRow } from '../record/field-input.tsx'
import { REFUSED, showFirst } from '../record/show-first.ts'
import { useBulkWords } from './use-bulk-words.ts'
import { type BulkFormProps, isSubmit } from './fields-form.tsx'
import type { FieldErrors } from './flow.ts'
import { FormActs, Waiting } from './form-acts.tsx'

type Props = BulkFormProps & { name: string; label: string }

/** A list, or the page of a row. */
type Asked = Typed<{
  view: object
  state: object
  writable: never
  actions: Pick<BulkActions, 'bulkForm'>
}>

export function OwnForm({ name, ...props }: Props) {
  const { call } = useComponent<Asked>(props.component)
  const { fields: words } = useBulkWords()
  const { cancel } = props
  const [fields, setFields] = useState<readonly FieldInput[] | null>(null)
  useEffect(() => {
    // The page's failure display says what went wrong.
    call.bulkForm(name).then(setFields, cancel)
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, as the dialog opens
  }, [call])
  if (fields) return <Fields {...props} name={name} fields={fields} />
  return (
    <>
      <Waiting text={words.loading} />
      <FormActs cancel={cancel} />
    </>
  )
}

function Fields({
  component,
  name,
  fields,
  errors: refused,
  isSealing,
  cancel,
  seal,
}: Omit<Props, 'label'> & { fields: readonly FieldInput[] }) {
  const { fields: words } = useBulkWords()
  const [texts, setTexts] = useState<FieldTexts>({})
  const [missing, setMissing] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)
  const errors = { ...refused, ...missing }
  const body = useRef<HTMLDivElement>(null)
  const textOf = (field: FieldInput) =>
    field.name in texts ? (texts[field.name] ?? null) : field.text
  const atFields = fields.filter(({ name }) => (errors[name] ?? []).length > 0).length
  useEffect(() => {
    showFirst(body.current, REFUSED)
    // Once for each answer, not while a person corrects one field after the other.
  }, [refused, refusals])
  useEffect(() => {
    body.current?.querySelector<HTMLElement>('.in')?.focus()
  }, [])
  const submit = () => {
    if (isSealing) return
    const asked = fields.filter((field) => field.required && textOf(field) === null)
    setMissing(Object.fromEntries(asked.map(({ name: at }) => [at, [words.valueNeeded]])))
    setRefusals((count) => count + 1)
    if (asked.length > 0) return
    const all = fields.map((field) => [field.name, textOf(field)] as const)
    seal({ do: 'own', name, texts: Object.fromEntries(all) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmit(event)) return
    event.preventDefault()
    submit()
  }
  const others = Object.entries(errors)
    .filter(([at]) => fields.every((field) => field.name !== at))
    .flatMap(([, found]) => found)
  return (
    <>
      <div ref={body} className="body" inert={isSealing} onKeyDown={onKeyDown}>
        {others.map((text) => (
          <p key={text} className="err" role="alert">
            <Icon name="warning" />
            {text}
          </p>
        ))}
        {fields.map((field) => (
          <FieldRow
            key={field.name}
            {...{ component, field }}
            within="bulk"
            text={textOf(field)}
            isEdited={false}
            error={errors[field.name]?.join(' ') || undefined}
            conflict={undefined}
            change={(text) => {
              setTexts((all) => ({ ...all, [field.name]: text }))
              setMissing((all) => ({ ...all, [field.name]: [] }))
            }}
            take={() => undefined}
            keepMine={() => undefined}
          />
        ))}
      </div>
      <FormActs cancel={cancel} submit={submit} isSealing={isSealing} refused={atFields} />
    </>
  )
}
