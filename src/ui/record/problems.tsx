/** The summary of a form that was refused: where several fields need a correction, a link to each, in their order. */

import type { LinesView, SectionProblems } from '../../protocol/form-sections.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { say } from '../parts/say.ts'
import { fieldId, lineFieldId } from './field-ids.ts'
import { type LinesEdits, linesIn, NO_LINES } from './line-edits.ts'
import type { FormErrors, FormState } from './use-form.ts'

type Problem = {
  /** Id of the field. */
  readonly id: string
  readonly label: string
  readonly text: string
  /** Whether the field was changed since. */
  readonly isSettled: boolean
}

type Props = { component: string; within: string | undefined; form: FormState }

/** Its title stands in the form's bar. Problems that were settled stay, struck, so that nothing moves under what is being typed. */
export function Problems({ component, within, form }: Props) {
  const { editing } = useMessages()
  const { view, refused, errors, sections } = form
  const fieldOf = (name: string) => fieldId(component, within, name)
  const problems = [
    ...ofFields(form, errors, fieldOf),
    ...view.lines.flatMap((lines) => ofLines(form, lines, sections.problems)),
  ]
  const left = problems.filter(({ isSettled }) => !isSettled).length
  if (refused === null || problems.length < 2 || left === 0) return null
  return (
    <div className="problems" role="group" tabIndex={-1} aria-label={editing.refused(left)}>
      <ul>
        {problems.map(({ id, label, text, isSettled }) => (
          <li key={id} className={isSettled ? 'done' : undefined}>
            <a href={`#${id}`} onClick={(event) => focusField(event, id)}>
              <Shown text={label} />
            </a>{' '}
            <Shown text={text} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The address of the page stays as it is. */
function focusField(event: { preventDefault(): void }, id: string): void {
  const field = document.getElementById(id)
  if (!field) return
  event.preventDefault()
  field.focus()
  field.scrollIntoView({ block: 'center' })
}

function ofFields(
  { view, refused, notShown }: FormState,
  now: FormErrors,
  idOf: (name: string) => string,
): Problem[] {
  const labels = new Map(view.fields.map(({ name, label }) => [name, label]))
  const names = [...view.sections.flatMap(({ fields }) => fields), ...labels.keys()]
  return [...new Set(names)].flatMap((name) => {
    const [text, label] = [refused?.errors[name]?.join(' '), labels.get(name)]
    return text === undefined || label === undefined || notShown.has(name)
      ? []
      : [{ id: idOf(name), label, text, isSettled: !(name in now) }]
  })
}

function ofLines({ view, refused, sections }: FormState, lines: LinesView, now: SectionProblems) {
  const found = refused?.sections[lines.name]
  const edits: LinesEdits = sections.edits.lines[lines.name] ?? NO_LINES
  return linesIn(lines, edits).flatMap(({ id: line }, at) =>
    lines.fields.flatMap(({ name, label }): Problem[] => {
      const text = found?.[line]?.errors[name]?.join(' ')
      const isSettled = !now[lines.name]?.[line]?.errors[name]
      const called = say(view.words['ofLine'], label, `${at + 1}`)
      const id = lineFieldId(lines, line, name)
      return text === undefined ? [] : [{ ...{ id, text, isSettled }, label: called }]
    }),
  )
}

export type Refused = { readonly errors: FormErrors; readonly sections: SectionProblems }

/** Finds the summary in a form. */
export const PROBLEMS = '.problems'
