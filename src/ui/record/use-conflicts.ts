/** The fields of a form that a colleague has changed as well: told while the person types, and with whose change it is. */

import { useEffect, useState } from 'react'
import type { FieldConflict, FormComponent, FormView } from '../../protocol/form-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { type Edits, isContested, type Texts } from './edits.ts'

/** A colleague's value comes with the view, also with that of an answer to a save. */
export function useConflicts(component: string, view: FormView, edits: Edits): FieldConflict[] {
  const { call } = useComponent<FormComponent>(component)
  const [authors, setAuthors] = useState<Texts>({})
  const contested = view.fields.filter(
    ({ name, text }) => !view.isNew && isContested(edits, name, text),
  )
  // Asked anew for each value of theirs: another colleague may have followed.
  const asked = JSON.stringify(contested.map(({ name, text }) => [name, text]))
  useEffect(() => {
    // What was written a moment ago.
    const columns = (JSON.parse(asked) as [name: string, text: string | null][]).map(
      ([name]) => name,
    )
    if (columns.length === 0) return
    // Without an answer, it is said that somebody has.
    call.authors(columns).then(setAuthors, () => undefined)
  }, [call, asked])
  return contested.map(({ name, label, text }) => ({
    ...{ column: name, label, theirs: text, who: authors[name] ?? null },
  }))
}
