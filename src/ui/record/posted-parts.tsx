/** What a form posts without script beside its fields: the page's token, and what the fields held. */

import type { LinesView } from '../../protocol/form-sections.ts'
import { type FormShown, type LinesShown, POSTED } from '../../protocol/form-view.ts'
import { usePage } from '../../react/use-component.ts'
import { addLine, contestedIn, copyOf, linesIn, NO_LINES, type StandingLine } from './line-edits.ts'
import type { FormState } from './use-form.ts'

export function PostedParts({ form }: { form: FormState }) {
  const { csrf } = usePage()
  return (
    <>
      <input type="hidden" name="_token" value={csrf} />
      <input type="hidden" name={POSTED.shown} value={JSON.stringify(shownOf(form))} />
      {form.view.lines.length > 0 && !form.isHydrated && (
        <input type="hidden" name={POSTED.lines} value={JSON.stringify(linesOf(form))} />
      )}
    </>
  )
}

const shownOf = ({ view, edits, seen, conflicts }: FormState): FormShown =>
  Object.fromEntries(
    view.fields.map(({ name, text, control, reading }) => {
      const isEdited = name in edits
      const conflict = conflicts.find(({ column }) => column === name)
      const label = control.is === 'relation' && !isEdited ? control.label : null
      return [
        name,
        {
          seen: isEdited ? (seen[name] ?? null) : text,
          ...(isEdited && { held: edits[name] ?? null }),
          ...(label !== null && { label }),
          ...(reading !== undefined && { reading }),
          ...(conflict && { told: conflict.theirs }),
        },
      ]
    }),
  )

const linesOf = ({ view, sections }: FormState): LinesShown =>
  Object.fromEntries(
    view.lines.map((section) => {
      const edits = sections.edits.lines[section.name] ?? NO_LINES
      // The last one is the line that may be added.
      const next = addLine(edits).edits
      return [
        section.name,
        Object.fromEntries(
          linesIn(section, next).map((line) => [
            line.id,
            { isNew: line.edit?.isNew ?? false, fields: lineShown(section, line) },
          ]),
        ),
      ]
    }),
  )

function lineShown(view: LinesView, line: StandingLine): FormShown {
  const { row, edit } = line
  const from = row ?? copyOf(view, line.id)
  const contested = contestedIn(line)
  return Object.fromEntries(
    view.fields
      .filter(({ name }) => !row?.fixed?.includes(name))
      .map(({ name, control, reading }) => {
        const stored = row?.texts[name] ?? null
        const held = edit?.texts[name]
        const isAsBegun = held === undefined || held === from?.texts[name]
        const label = control.is === 'relation' && isAsBegun ? from?.labels[name] : null
        return [
          name,
          {
            seen: edit ? (edit.seen[name] ?? null) : stored,
            ...(held !== undefined && { held }),
            ...(label != null && { label }),
            ...(reading !== undefined && { reading }),
            ...(contested.includes(name) && { told: stored }),
          },
        ]
      }),
  )
}
