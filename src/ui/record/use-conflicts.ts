/** The fields of a form that a colleague has changed as well: told while the person types, and with whose change it is. */

import { useEffect, useRef, useState } from 'react'
import type { FieldConflict } from '../../protocol/form-view.ts'
import { type Edits, isContested, type Texts } from './edits.ts'
import type { FormPort } from './form-port.ts'

/** A colleague's value comes with the view, also with that of an answer to a save. */
export function useConflicts(
  port: Pick<FormPort, 'view' | 'authors'>,
  edits: Edits,
  known: Texts = {},
): FieldConflict[] {
  const { view } = port
  const latest = useRef(port)
  useEffect(() => {
    latest.current = port
  })
  const [authors, setAuthors] = useState<Texts>(known)
  const contested = view.fields.filter(
    ({ name, text, reading }) =>
      !view.isNew && edits.readings?.[name] === reading && isContested(edits, name, text),
  )
  // Asked anew for each value of theirs: another colleague may have followed.
  const asked = contested.map(({ name, text }) => `${name}\0${text ?? ''}`).join('\0\0')
  useEffect(() => {
    if (asked === '') return
    const columns = asked.split('\0\0').map((one) => one.split('\0', 1).join())
    // Without an answer, it is said that somebody has.
    latest.current.authors(columns).then(setAuthors, () => undefined)
  }, [asked])
  return contested.map(({ name, label, text, control }) => ({
    ...{ column: name, label, theirs: text, who: authors[name] ?? null },
    ...(control.is === 'relation' && control.label !== null && { theirLabel: control.label }),
  }))
}
