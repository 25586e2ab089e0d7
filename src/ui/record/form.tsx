/** The form of a row: its fields, what is wrong with them, and saving. */

import { type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import type { FormView, PostedForm, SectionView } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { Blank } from '../parts/blank.tsx'
import { Icon } from '../parts/icon.tsx'
import { LeavingGuard } from '../parts/leaving-guard.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { say } from '../reorder/words.ts'
import { FieldRow } from './field-input.tsx'
import { LinesSection } from './lines.tsx'
import { LinksField } from './links.tsx'
import { PostedParts } from './posted-parts.tsx'
import { countProblems } from './section-edits.ts'
import { type FormState, useForm } from './use-form.ts'

type Props = {
  component: string
  /** What was posted without script and not saved. */
  posted: PostedForm | null
}

export function RecordForm({ component, posted }: Props) {
  const form = useForm(component, posted)
  const { url } = usePage()
  const { editing, record } = useMessages()
  const { view, edits, isSaving, counts } = form
  const ref = useRef<HTMLFormElement>(null)
  const fields = Object.keys(edits).length + counts.fields
  const count = fields + counts.lines
  useFirstField(ref, form)
  useCommands(editing.title, [
    { label: editing.save, keys: 'Mod+s', run: () => ref.current?.requestSubmit() },
  ])
  if (view.isGone)
    return (
      <Blank kind="none" title={record.goneTitle} text={record.goneText}>
        <a className="btn line" href={view.backHref}>
          {record.back}
        </a>
      </Blank>
    )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isSaving && form.conflicts.length + counts.choices === 0) void form.save()
  }
  return (
    <form
      ref={ref}
      className="record-form"
      noValidate
      aria-label={view.title}
      method="post"
      action={url}
      onSubmit={submit}
    >
      <PostedParts form={form} />
      <DraftNotice form={form} />
      <div className="form-bar">
        <Status form={form} />
        <a className="btn" href={view.backHref}>
          {editing.cancel}
        </a>
        {count > 0 && (
          <button
            type="button"
            className="btn needs-script"
            onClick={() => {
              form.revert()
              // The button goes, and would take the focus with it.
              ref.current?.querySelector<HTMLElement>('.in')?.focus()
            }}
          >
            {editing.revert}
          </button>
        )}
        <button
          type="submit"
          className="btn main"
          disabled={
            isSaving || view.obstacle !== null || (form.isHydrated && count === 0 && !view.isNew)
          }
        >
          {editing.save}
        </button>
      </div>
      {view.obstacle !== null && <p role="alert">{view.obstacle}</p>}
      <OtherErrors form={form} />
      {view.sections.map((section) => (
        <FormSection
          key={section.fields.join(' ')}
          section={section}
          component={component}
          form={form}
        />
      ))}
      {unsectioned(view).map(({ name }) => (
        <FormField key={name} name={name} component={component} form={form} />
      ))}
      {view.links.map((links) => (
        <LinksField key={links.name} component={component} view={links} form={form} />
      ))}
      <Fixed fixed={view.fixed.filter(({ name }) => !form.notShown.has(name))} />
      {view.lines.map((lines) => (
        <LinesSection key={lines.name} component={component} view={lines} form={form} />
      ))}
      <LeavingGuard
        unsaved={count > 0 && !isSaving ? unsavedText(form, editing, 'leaving') : null}
      />
    </form>
  )
}

/** The field of a column, where it is asked and shown. */
function FormField({
  name,
  component,
  form,
}: {
  name: string
  component: string
  form: FormState
}) {
  const { view, edits } = form
  const field = view.fields.find((one) => one.name === name)
  if (!field || form.notShown.has(name)) return null
  return (
    <FieldRow
      component={component}
      field={field}
      text={name in edits ? (edits[name] ?? null) : field.text}
      isEdited={name in edits}
      error={form.errors[name]?.join(' ')}
      conflict={form.conflicts.find(({ column }) => column === name)}
      change={(text) => form.change(name, text)}
      take={() => form.take(name)}
      keepMine={() => form.keepMine(name)}
    />
  )
}

const unsectioned = ({ fields, sections }: FormView) =>
  fields.filter(({ name }) => !sections.some((section) => section.fields.includes(name)))

/** A section none of whose fields is asked or shown is not drawn. */
function FormSection({
  section,
  component,
  form,
}: {
  section: SectionView
  component: string
  form: FormState
}) {
  const id = useId()
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
        <FormField key={name} name={name} component={component} form={form} />
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
function Status({ form }: { form: FormState }) {
  const { edits, errors, conflicts, counts, sections } = form
  const { editing } = useMessages()
  const fields = Object.keys(edits).length + counts.fields
  const refused = Object.keys(errors).length + countProblems(sections.problems)
  const choices = conflicts.length + counts.choices
  const says =
    choices > 0
      ? { text: editing.choose(choices), kind: 'warn' }
      : refused > 0
        ? { text: editing.refused(refused), kind: 'bad' }
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
function unsavedText(
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

/** A new row begins at its first empty field; after a refused save, the first problem has the focus. */
function useFirstField(form: RefObject<HTMLFormElement | null>, { refusals, view }: FormState) {
  const { isNew } = view
  useEffect(() => {
    const wanted =
      refusals > 0
        ? '[aria-invalid="true"], .conflict button'
        : isNew
          ? '[aria-required="true"]'
          : null
    if (wanted !== null) form.current?.querySelector<HTMLElement>(wanted)?.focus()
    // Once for each answer, not while a person corrects one field after the other.
  }, [form, refusals, isNew])
}

function DraftNotice({ form: { draft, restore, discard } }: { form: FormState }) {
  const { editing } = useMessages()
  const { locale } = usePage()
  if (!draft) return null
  const when = new Date(draft.at).toLocaleString(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return (
    <div className="draft" role="status">
      <span>{editing.draft(when)}</span>
      <button type="button" className="btn line" onClick={restore}>
        {editing.restore}
      </button>
      <button type="button" className="btn" onClick={discard}>
        {editing.discard}
      </button>
    </div>
  )
}

/** What is shown and not asked, and why. */
function Fixed({ fixed }: Pick<FormView, 'fixed'>) {
  const { editing } = useMessages()
  if (fixed.length === 0) return null
  return (
    <dl className="fields" aria-label={editing.fixed}>
      {fixed.map(({ name, label, text, why }) => (
        <div key={name}>
          <dt>
            <Shown text={label} />
          </dt>
          <dd>
            {text === null ? <span className="null">–</span> : <Shown text={text} />}
            <p className="hint">{why}</p>
          </dd>
        </div>
      ))}
    </dl>
  )
}
