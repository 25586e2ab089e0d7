/** The form of a new row of another table, beside the form or the cell that will refer to it. */

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { FormComponent, FormView } from '../../protocol/form-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useTellDone } from '../history/use-undo.ts'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { DraftNotice, FormFields, Status } from './form-fields.tsx'
import type { FormPort } from './form-port.ts'
import type { RelatedFormProps } from './related-form.ts'
import { refusedIn, showFirst } from './show-first.ts'
import { useForm } from './use-form.ts'

export function NewRelated(props: RelatedFormProps) {
  const { component, column, name, close } = props
  const { call } = useComponent<FormComponent>(component)
  const [view, setView] = useState<FormView | null>(null)
  useEffect(() => {
    // The page's failure display says what went wrong.
    call.newRelated(column, name.slice(0, NAME_MAX)).then(setView, close)
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, as the dialog opens
  }, [call])
  if (!view) return null
  return (
    // What is typed here is for nothing around it.
    <div className="related-form" onKeyDown={(event) => event.stopPropagation()}>
      <Modal title={view.title} className="dialog wide" onClose={close}>
        <Fields {...props} view={view} />
      </Modal>
    </div>
  )
}

/** As long as what somebody looks for may be. */
const NAME_MAX = 200

function Fields({
  component,
  column,
  view,
  created,
  close,
}: RelatedFormProps & { view: FormView }) {
  const { call } = useComponent<FormComponent>(component)
  const { url } = usePage()
  const tellDone = useTellDone()
  const port: FormPort = {
    view,
    // Its draft is one of its own.
    place: `${url} ${column}`,
    async save(texts, _seen, _sections, readings) {
      const result = await call.createRelated(column, { ...texts }, { ...readings })
      if (result.status === 'refused') return result
      return {
        status: 'saved',
        settle() {
          tellDone(result.text, result.entry)
          created(result.row)
          close()
        },
      }
    },
    authors: async () => ({}),
    notShown: (texts) => call.relatedNotShown(column, { ...texts }),
  }
  const form = useForm(port, null)
  const body = useRef<HTMLDivElement>(null)
  const { refusals, isSaving } = form
  const begun = useRef<Element | null>(null)
  useEffect(() => {
    const { current: before } = begun
    if (!isSaving && before instanceof HTMLElement) before.focus()
  }, [isSaving])
  useEffect(() => {
    if (refusals > 0) showFirst(body.current, refusedIn(body.current))
  }, [refusals])
  const { editing } = useMessages()
  const save = () => {
    if (isSaving || view.obstacle !== null) return
    begun.current = document.activeElement
    void form.save()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = event.key === 's' && (event.ctrlKey || event.metaKey)
    const isEnter = event.key === 'Enter' && event.target instanceof HTMLInputElement
    // The form around it is not sent.
    const isTaken = event.defaultPrevented
    if (isSave || isEnter) event.preventDefault()
    if (isSave || (isEnter && !isTaken)) save()
  }
  return (
    <>
      {/* The dialog closes with the save: nothing may be typed that would be lost. */}
      <div ref={body} className="body" inert={isSaving} onKeyDown={onKeyDown}>
        <DraftNotice form={form} />
        <FormFields component={component} within={column} form={form} />
      </div>
      <div className="acts">
        <Status form={form} />
        <button type="button" className="btn" onClick={close}>
          {editing.cancel}
        </button>
        <button type="button" className="btn main" disabled={isSaving} onClick={save}>
          {editing.save}
        </button>
      </div>
    </>
  )
}
