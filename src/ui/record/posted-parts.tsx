/** What a form posts without script beside its fields: the page's token, and what the fields held. */

import { type FormShown, POSTED } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import type { FormState } from './use-form.ts'

export function PostedParts({ form }: { form: FormState }) {
  const { csrf } = usePage()
  return (
    <>
      <input type="hidden" name="_token" value={csrf} />
      <input type="hidden" name={POSTED.shown} value={JSON.stringify(shownOf(form))} />
    </>
  )
}

const shownOf = ({ view, edits, seen, conflicts }: FormState): FormShown =>
  Object.fromEntries(
    view.fields.map(({ name, text, control }) => {
      const isEdited = name in edits
      const conflict = conflicts.find(({ column }) => column === name)
      const label = control.is === 'relation' && !isEdited ? control.label : null
      return [
        name,
        {
          seen: isEdited ? (seen[name] ?? null) : text,
          ...(isEdited && { held: edits[name] ?? null }),
          ...(label !== null && { label }),
          ...(conflict && { told: conflict.theirs }),
        },
      ]
    }),
  )
