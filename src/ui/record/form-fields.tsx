/** What a form holds: its fields in sections, what is wrong with them, and what was typed before. */

import { useId, useState } from 'react'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import type { FieldControl, FieldInput, SectionView } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { say } from '../parts/say.ts'
import { draftTime } from './draft-time.ts'
import { FieldRow } from './field-input.tsx'
import { Problems } from './problems.tsx'
import { countProblems } from './section-edits.ts'
import { HEAD_LINES, inColumns, LONG_LINES } from './two-columns.ts'
import type { FormState } from './use-form.ts'

type FieldsProps = {
  component: string
  /** The column of that component's form whose related table this form is of. Default: of its own. */
  within?: string
  form: FormState
}

/** What stands in the way of saving, and all fields. */
export function FormFields(props: FieldsProps) {
  const { view } = props.form
  const isAlone = ({ name }: FieldInput) =>
    !view.sections.some(({ fields }) => fields.includes(name))
  const others = view.fields.filter(isAlone)
  const sections = [...view.sections, ...(others.length === 0 ? [] : [null])]
  return (
    <>
      {view.obstacle !== null && <p role="alert">{view.obstacle}</p>}
      <Problems component={props.component} within={props.within} form={props.form} />
      <OtherErrors form={props.form} />
      <div className="form-sections">
        {inColumns(sections, (section) => linesOf(section, view.fields, others)).map(
          (column, at) => (
            <div key={at} className="column">
              {column.map((section) =>
                section === null ? (
                  <Unsectioned key="" others={others} {...props} />
                ) : (
                  <FormSection key={section.fields.join(' ')} section={section} {...props} />
                ),
              )}
            </div>
          ),
        )}
      </div>
    </>
  )
}

/** The field of a column, where it is asked and shown. */
function FormField({ name, component, within, form }: FieldsProps & { name: string }) {
  const { view, edits } = form
  const field = view.fields.find((one) => one.name === name)
  if (!field || form.notShown.has(name)) return null
  const text = name in edits ? (edits[name] ?? null) : field.text
  return (
    <FieldRow
      {...{ component, within, field, text }}
      label={name in edits ? form.labels[name] : undefined}
      isEdited={name in edits}
      error={form.errors[name]?.join(' ')}
      conflict={form.conflicts.find(({ column }) => column === name)}
      change={(next, label) => form.change(name, next, label)}
      take={() => form.take(name)}
      keepMine={() => form.keepMine(name)}
      setArriving={form.setArriving}
    />
  )
}

/** How high a section is, about; the same whichever of its fields are shown. */
function linesOf(
  section: SectionView | null,
  fields: readonly FieldInput[],
  others: readonly FieldInput[],
): number {
  const own = section ? fields.filter(({ name }) => section.fields.includes(name)) : others
  // One of which nothing is asked is not drawn.
  const head = own.length === 0 ? 0 : HEAD_LINES
  return own.reduce((sum, { control }) => sum + linesIn(control), head)
}

const linesIn = (control: FieldControl): number =>
  control.is === 'file'
    ? LONG_LINES + control.stored.length
    : control.is === 'long' || control.is === 'json'
      ? LONG_LINES
      : 1

/** The fields that stand in no section. */
function Unsectioned({ others, ...props }: FieldsProps & { others: readonly FieldInput[] }) {
  return (
    <div className="form-section">
      {others.map(({ name }) => (
        <FormField key={name} name={name} {...props} />
      ))}
    </div>
  )
}

/** A section none of whose fields is asked or shown is not drawn. */
function FormSection({ section, ...props }: FieldsProps & { section: SectionView }) {
  const id = useId()
  const { form } = props
  const { title, help } = section
  const isAsked = (name: string) =>
    !form.notShown.has(name) && form.view.fields.some((field) => field.name === name)
  if (!section.fields.some(isAsked)) return null
  return (
    <fieldset className="form-section" aria-describedby={help === undefined ? undefined : id}>
      <legend>{title}</legend>
      {help !== undefined && (
        <p id={id} className="hint">
          {help}
        </p>
      )}
      {section.fields.map((name) => (
        <FormField key={name} name={name} {...props} />
      ))}
    </fieldset>
  )
}

/** Problems of the whole row, and of columns that have no field here. */
function OtherErrors({ form: { errors, view, notShown } }: { form: FormState }) {
  const isAtField = (column: string) =>
    !notShown.has(column) && view.fields.some(({ name }) => name === column)
  return Object.entries(errors)
    .filter(([column]) => !isAtField(column))
    .flatMap(([, texts]) => texts)
    .map((text) => (
      <p key={text} className="err" role="alert">
        {text}
      </p>
    ))
}

/** How many fields were changed, or how many stand in the way of saving them. */
export function Status({ form }: { form: FormState }) {
  const { edits, errors, conflicts, counts, sections, arriving, isSaving } = form
  const { editing } = useMessages()
  const fields = Object.keys(edits).length + counts.fields
  const refused = Object.keys(errors).length + countProblems(sections.problems)
  const choices = conflicts.length + counts.choices
  const { language, locale } = usePage()
  const words = uploadWordsFor(language)
  const files = [...arriving.values()]
  const awaited = isSaving && files.find((file) => file.is === 'sending')
  const failed = files.reduce((sum, file) => sum + (file.is === 'failed' ? file.count : 0), 0)
  if (awaited)
    return (
      <span role="status">
        <span>
          {words.savesAfter(awaited.name)}
          <span aria-hidden="true">: {words.percent(awaited.percent.toLocaleString(locale))}</span>
        </span>
      </span>
    )
  const says =
    choices > 0
      ? { text: editing.choose(choices), kind: 'warn' }
      : refused > 0
        ? { text: editing.refused(refused), kind: 'bad' }
        : failed > 0
          ? { text: words.notAdded(failed, failed.toLocaleString(locale)), kind: 'bad' }
          : {
              text: fields + counts.lines === 0 ? '' : unsavedText(form, editing, 'unsaved'),
              kind: undefined,
            }
  return (
    <span role="status" className={says.kind}>
      {says.kind && <Icon name="warning" />}
      {says.text}
    </span>
  )
}

/** What was changed and not saved, such as “1 field and 3 lines”. */
export function unsavedText(
  { edits, counts: { fields: links, lines }, view: { words } }: FormState,
  editing: { readonly [how in 'unsaved' | 'leaving']: (count: number) => string },
  how: 'unsaved' | 'leaving',
): string {
  const fields = Object.keys(edits).length + links
  if (lines === 0) return editing[how](fields)
  const some = lines === 1 ? words['oneLine'] : say(words['lines'], `${lines}`)
  const others = fields === 1 ? words['oneField'] : say(words['fields'], `${fields}`)
  return say(words[how], fields === 0 ? `${some}` : say(words['both'], `${others}`, `${some}`))
}

export function DraftNotice({ form: { draft, restore, discard } }: { form: FormState }) {
  const { editing } = useMessages()
  const { locale } = usePage()
  const [now] = useState(() => new Date())
  if (!draft) return null
  const { day, time } = draftTime(draft.at, now, locale)
  return (
    <div className="draft" role="status">
      <span>{editing.draft(day, time)}</span>
      <button type="button" className="btn line" onClick={restore}>
        {editing.restore}
      </button>
      <button type="button" className="btn" onClick={discard}>
        {editing.discard}
      </button>
    </div>
  )
}
