/** The form of a row: its fields, what is wrong with them, and saving. */

import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from 'react'
import type { FormView, PostedForm } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { Blank } from '../parts/blank.tsx'
import { LeavingGuard } from '../parts/leaving-guard.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { DraftNotice, FormFields, Status, unsavedText } from './form-fields.tsx'
import { useRecordPort } from './form-port.ts'
import { LinesSection } from './lines.tsx'
import { LinksField } from './links.tsx'
import { NewRelated } from './new-related.tsx'
import { PostedParts } from './posted-parts.tsx'
import { REFUSED, refusedIn, showFirst } from './show-first.ts'
import { RelatedForm } from './related-form.ts'
import { type FormState, useForm } from './use-form.ts'

type Props = {
  component: string
  /** What was posted without script and not saved. */
  posted: PostedForm | null
  /** What the page's bar begins with until there is something to say of the form. */
  start?: ReactNode
  /** Draws the page around the form, below its bar. */
  page(form: ReactNode): ReactNode
}

export function RecordForm({ component, posted, start, page }: Props) {
  const form = useForm(useRecordPort(component), posted)
  const { url } = usePage()
  const { editing, record } = useMessages()
  const { view, edits, isSaving, counts } = form
  const ref = useRef<HTMLFormElement>(null)
  const id = useId()
  const fields = Object.keys(edits).length + counts.fields
  const count = fields + counts.lines
  useFirstField(ref, form)
  useCommands(editing.title, [
    { label: editing.save, keys: 'Mod+s', run: () => ref.current?.requestSubmit() },
  ])
  if (view.isGone)
    return (
      <>
        {start && <div className="bar">{start}</div>}
        {page(
          <Blank kind="none" title={record.goneTitle} text={record.goneText}>
            <a className="btn line" href={view.backHref}>
              {record.back}
            </a>
          </Blank>,
        )}
      </>
    )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isSaving || (count === 0 && !view.isNew)) return
    if (form.conflicts.length + counts.choices === 0) void form.save()
    else showFirst(ref.current, REFUSED)
  }
  return (
    <>
      <div className="bar form-bar">
        {start}
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
          form={id}
          className="btn main"
          disabled={
            isSaving || view.obstacle !== null || (form.isHydrated && count === 0 && !view.isNew)
          }
        >
          {editing.save}
        </button>
      </div>
      {page(
        <form
          ref={ref}
          id={id}
          className="record-form"
          noValidate
          aria-label={view.title}
          method="post"
          action={url}
          onSubmit={submit}
        >
          <PostedParts form={form} />
          <DraftNotice form={form} />
          <RelatedForm value={NewRelated}>
            <FormFields component={component} form={form} />
            {view.links.map((links) => (
              <LinksField key={links.name} component={component} view={links} form={form} />
            ))}
            <Fixed fixed={view.fixed.filter(({ name }) => !form.notShown.has(name))} />
            {view.lines.map((lines) => (
              <LinesSection key={lines.name} component={component} view={lines} form={form} />
            ))}
          </RelatedForm>
          <LeavingGuard
            unsaved={count > 0 && !isSaving ? unsavedText(form, editing, 'leaving') : null}
          />
        </form>,
      )}
    </>
  )
}

/** A form begins at its first field, a new row at the first that must be filled; after a refused save, the first problem has the focus. */
function useFirstField(
  form: RefObject<HTMLFormElement | null>,
  { refusals, view, focus }: FormState,
) {
  const { isNew } = view
  useEffect(() => {
    const wanted =
      refusals > 0
        ? refusedIn(form.current)
        : focus !== null
          ? `[name="${CSS.escape(focus)}"]`
          : isNew
            ? '[aria-required="true"]'
            : // A finger would open its keyboard by that.
              matchMedia('(hover: hover)').matches
              ? '.form-field .in'
              : null
    if (wanted !== null) showFirst(form.current, wanted)
    // Once for each answer, not while a person corrects one field after the other.
  }, [form, refusals, isNew, focus])
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
