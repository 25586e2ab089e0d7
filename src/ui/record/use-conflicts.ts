/** The fields of a form that a colleague has changed as well: told while the person types, and with whose change it is. */

import { useEffect, useState } from 'react'
import type { FieldConflict, FormComponent, FormView } from '../../protocol/form-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { type Edits, isContested, type Texts } from './edits.ts'

/** A colleague's value comes with the view, also with that of an answer to a save. */
export function useConflicts(
  component: string,
  view: FormView,
  edits: Edits,
  known: Texts = {},
): FieldConflict[] {
  const { call } = useComponent<FormComponent>(component)
  const [authors, setAuthors] = useState<Texts>(known)
  const contested = view.fields.filter(
    ({ name, text }) => !view.isNew && isContested(edits, name, text),
  )
  // Asked anew for each value of theirs: another colleague may have followed.
  const asked = contested.map(({ name, text }) => `${name}\0${text ?? ''}`).join('\0\0')
  useEffect(() => {
    if (asked === '') return
    const columns = asked.split('\0\0').map((one) => one.split('\0', 1).join())
    // Without an answer, it is said that somebody has.
    call.authors(columns).then(setAuthors, () => undefined)
  }, [call, asked])
  return contested.map(({ name, label, text }) => ({
    ...{ column: name, label, theirs: text, who: authors[name] ?? null },
  }))
}
