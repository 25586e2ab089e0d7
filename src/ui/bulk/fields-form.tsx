/** Asks which fields are changed for all selected rows, and how. */

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { BulkAsk, BulkField } from '../../protocol/plan-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { REFUSED, showFirst } from '../record/show-first.ts'
import { useBulkWords } from './use-bulk-words.ts'
import { askedOf, type ChosenField, chosenField, NONE_CHOSEN } from './field-edits.ts'
import { FieldChoice } from './field-choice.tsx'
import type { FieldErrors } from './flow.ts'
import { FormActs, Waiting } from './form-acts.tsx'

export type BulkFormProps = {
  component: string
  errors: FieldErrors
  isSealing: boolean
  cancel(): void
  seal(ask: BulkAsk): void
}

export function FieldsForm({ count, ...props }: BulkFormProps & { count: string }) {
  const { call } = useComponent<TableComponent>(props.component)
  const { fields: words } = useBulkWords()
  const { cancel } = props
  const [fields, setFields] = useState<readonly BulkField[] | null>(null)
  useEffect(() => {
    // The page's failure display says what went wrong.
    call.bulkFields().then(setFields, cancel)
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, as the dialog opens
  }, [call])
  return (
    <>
      <p className="lead">{count === '1' ? words.ofOne : words.of(count)}</p>
      {fields ? (
        <Fields {...props} fields={fields} />
      ) : (
        <>
          <Waiting text={words.loading} />
          <FormActs cancel={cancel} />
        </>
      )}
    </>
  )
}

function Fields({
  component,
  fields,
  errors: refused,
  isSealing,
  cancel,
  seal,
}: BulkFormProps & { fields: readonly BulkField[] }) {
  const { fields: words } = useBulkWords()
  const { rows, chosen, isTaken, choose, edit, remove } = useChosen(fields)
  const [missing, setMissing] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const errors = { ...refused, ...missing }
  const count = Object.entries(errors).filter(
    ([name, texts]) => name !== '' && texts.length > 0,
  ).length
  useEffect(() => {
    showFirst(body.current, REFUSED)
    // Once for each answer, not while a person corrects one field after the other.
  }, [refused, refusals])
  useEffect(() => {
    body.current?.querySelector<HTMLElement>(BLANK)?.focus()
  }, [])
  const forget = (name: string) => setMissing((all) => ({ ...all, [name]: [] }))
  const submit = () => {
    if (isSealing) return
    const asked = askedOf(chosen, fields, words)
    setMissing('errors' in asked ? asked.errors : {})
    setRefusals((all) => all + 1)
    if ('fields' in asked) seal({ do: 'edit', fields: asked.fields })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmit(event)) return
    event.preventDefault()
    submit()
  }
  return (
    <>
      <div ref={body} className="body" inert={isSealing} onKeyDown={onKeyDown}>
        {fields.length === 0 && <p>{words.none}</p>}
        {rows.map(({ id, ...one }) => (
          <FieldChoice
            key={id}
            component={component}
            fields={fields.filter(({ name }) => name === one.name || !isTaken(name))}
            chosen={one}
            error={errors[one.name]?.join(' ') || undefined}
            choose={(field) => choose(id, field)}
            change={(to) => {
              edit(id, to)
              forget(one.name)
            }}
            remove={() => {
              remove(id)
              body.current?.querySelector<HTMLElement>(BLANK)?.focus()
            }}
          />
        ))}
        {others(errors, chosen).map((text) => (
          <p key={text} className="err" role="alert">
            <Icon name="warning" />
            {text}
          </p>
        ))}
      </div>
      <FormActs
        cancel={cancel}
        isSealing={isSealing}
        refused={count}
        submit={fields.length === 0 ? undefined : submit}
      />
    </>
  )
}

/** The row that nothing was chosen in yet. */
const BLANK = '.blank-field select'

type Row = ChosenField & { readonly id: number }

/** The fields that were chosen, and a blank row, which becomes that of the field that is chosen in it. */
function useChosen(fields: readonly BulkField[]) {
  const [all, setAll] = useState<readonly Row[]>([])
  const [nextId, setNextId] = useState(0)
  const isTaken = (name: string) => all.some((one) => one.name === name)
  const replace = (id: number, to: Row) =>
    setAll((rows) => rows.map((one) => (one.id === id ? to : one)))
  return {
    chosen: all,
    rows: all.length < fields.length ? [...all, { ...NONE_CHOSEN, id: nextId }] : all,
    isTaken,
    choose(id: number, field: BulkField) {
      const row = { ...chosenField(field), id }
      if (id !== nextId) return replace(id, row)
      setAll([...all, row])
      setNextId(id + 1)
    },
    edit: (id: number, to: Partial<ChosenField>) =>
      setAll((rows) => rows.map((one) => (one.id === id ? { ...one, ...to } : one))),
    remove: (id: number) => setAll((rows) => rows.filter((one) => one.id !== id)),
  }
}

/** Problems that stand at no field. */
const others = (errors: FieldErrors, chosen: readonly ChosenField[]): string[] =>
  Object.entries(errors)
    .filter(([name]) => chosen.every((one) => one.name !== name))
    .flatMap(([, texts]) => texts)

/** A key of a field that has not been used for anything else, such as to choose a related row. */
export const isSubmit = ({ key, target, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'Enter' && !defaultPrevented && target instanceof HTMLInputElement
