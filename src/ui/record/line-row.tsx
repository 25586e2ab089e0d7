/** One line in a form: its fields beside each other, and below them what is wrong, or what others have changed. */

import { memo, type PointerEvent } from 'react'
import type { LineProblems, LinesView, LineView } from '../../protocol/form-sections.ts'
import { type FieldInput, type FormView, lineNames, POSTED } from '../../protocol/form-view.ts'
import { Grip } from '../reorder/grip.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { say } from '../parts/say.ts'
import { Conflict } from './conflict.tsx'
import { Control } from './field-input.tsx'
import { lineFieldId } from './field-ids.ts'
import {
  changeLine,
  contestedIn,
  copyOf,
  isGone,
  keepMine,
  type LineEdit,
  putBack,
  removeLine,
  takeTheirs,
  textsOf,
} from './line-edits.ts'
import type { SectionsState } from './use-sections.ts'

export type LineRowProps = {
  /** The copy of the sections. */
  words: FormView['words']
  component: string
  view: LinesView
  lineId: string
  row: LineView | undefined
  edit: LineEdit | undefined
  /** Its place, from 1. */
  place: number
  problems: LineProblems | undefined
  /** Whether script runs: without it, lines are posted with the form, and are not moved. */
  isHydrated: boolean
  changeLines: SectionsState['changeLines']
  press(id: string, event: PointerEvent<HTMLElement>): void
}

/** Of many lines, only those are drawn again that have changed. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { component, view, lineId, row, edit, place, problems, isHydrated, changeLines } = props
  const { words } = props
  const { editing } = useMessages()
  const line = { id: lineId, row, edit }
  const isNew = edit?.isNew ?? false
  const isRemoved = edit?.isRemoved ?? false
  const texts = textsOf(line)
  const mayChange = !isRemoved && (isNew || (view.may.change && !isGone(line)))
  const locked = view.locked[isNew ? 'added' : 'stored']
  const posts = lineNames(view.name, lineId)
  const change = (column: string, text: string | null) =>
    changeLines(view.name, (now) => changeLine(now, current(now, line), column, text), {
      ...{ id: lineId, column },
    })
  const looks = [edit && 'dirty', isRemoved && 'removed'].filter(Boolean).join(' ')
  return (
    <>
      <tr role="row" className={looks || undefined} data-row-key={lineId}>
        {view.may.order && (
          <td role="cell" className="c-grip">
            {isHydrated && !isRemoved && (
              <button
                type="button"
                className="grip"
                aria-label={say(words['move'], `${place}`)}
                aria-keyshortcuts="ArrowUp ArrowDown"
                title={words['moveKeys']}
                onPointerDown={(event) => props.press(lineId, event)}
              >
                <Grip />
              </button>
            )}
          </td>
        )}
        <th role="rowheader" scope="row" className="c-n">
          {place}
          {isNew && <span className="tagn">{words['isNew']}</span>}
        </th>
        {view.fields.map((field) => {
          const isFixed = row?.fixed?.includes(field.name) || locked.includes(field.name)
          const isAsked = mayChange && !isFixed
          const text = texts[field.name] ?? null
          const error = problems?.errors[field.name]?.join(' ')
          return (
            <td
              key={field.name}
              role="cell"
              className={field.control.is === 'number' ? 'num' : undefined}
              data-column={field.name}
              data-label={labelOf(field)}
              data-hint={isAsked && field.required && text === null ? editing.required : undefined}
              data-control={field.control.is}
            >
              {isAsked ? (
                <Control
                  component={component}
                  field={fieldOf(view, field, row, lineId)}
                  text={text}
                  error={error}
                  change={(typed) => change(field.name, valueOf(field, row, typed))}
                  id={lineFieldId(view, lineId, field.name)}
                  posts={posts + POSTED.text + field.name}
                  name={say(words['ofLine'], field.label, `${place}`)}
                  describedBy={error ? lineFieldId(view, lineId, `${field.name}-error`) : undefined}
                />
              ) : (
                <Text text={textIn(field, row, text)} />
              )}
            </td>
          )
        })}
        {view.fixed.map(({ name, label }) => (
          <td key={name} role="cell" className="num" data-column={name} data-label={label}>
            <Text text={isNew || edit ? null : (row?.labels[name] ?? texts[name] ?? null)} />
          </td>
        ))}
        <td role="cell" className="c-x">
          {!isNew && view.may.remove && (
            <noscript>
              <label className="hint">
                <input
                  type="checkbox"
                  name={posts + POSTED.removed}
                  aria-label={say(words['remove'], `${place}`)}
                  defaultChecked={isRemoved}
                />{' '}
                {words['removing']}
              </label>
            </noscript>
          )}
          {isHydrated && isRemoved && (
            <button
              type="button"
              className="plain"
              aria-label={say(words['putBackOf'], `${place}`)}
              onClick={() => changeLines(view.name, (now) => putBack(now, current(now, line)))}
            >
              {words['putBack']}
            </button>
          )}
          {isHydrated && !isRemoved && (isNew || view.may.remove) && (
            <button
              type="button"
              className="btn icon"
              aria-label={say(words['remove'], `${place}`)}
              data-remove=""
              onClick={() =>
                changeLines(view.name, (now) => removeLine(now, current(now, line)), { id: lineId })
              }
            >
              <Icon name="close" />
            </button>
          )}
        </td>
      </tr>
      <LineNotes {...props} />
    </>
  )
})

/** As it stands at the field, where the head of the table does not. */
export const labelOf = ({ label, unit }: FieldInput): string =>
  unit === undefined ? label : `${label} ${unit}`

/** The line with its edit as of now: what is shown may be a moment old. */
const current = (
  { lines }: { readonly lines: readonly LineEdit[] },
  line: { readonly id: string; readonly row: LineView | undefined },
) => ({ ...line, edit: lines.find(({ id }) => id === line.id) })

/** What stands in the way at this line. */
function LineNotes({ words, view, lineId, row, edit, place, problems, changeLines }: LineRowProps) {
  const line = { id: lineId, row, edit }
  const contested = contestedIn(line)
  const errors = Object.entries(problems?.errors ?? {})
  const wasRemoved = isGone(line)
  if (contested.length + errors.length === 0 && !wasRemoved) return null
  const update = (change: (now: Parameters<typeof putBack>[0]) => ReturnType<typeof putBack>) =>
    changeLines(view.name, change, { id: lineId })
  return (
    <tr role="row" className="why">
      <td role="cell" colSpan={view.fields.length + view.fixed.length + (view.may.order ? 3 : 2)}>
        {errors.map(([column, sentences]) => (
          <p key={column} id={lineFieldId(view, lineId, `${column}-error`)} className="err">
            <Icon name="warning" />
            {sentences.join(' ')}
          </p>
        ))}
        {edit?.isRemoved && contested.length > 0 ? (
          <Choice
            says={words['changedByOthers']}
            answers={[
              [
                words['removeAnyway'],
                () => update((now) => keepMine(now, current(now, line), contested)),
              ],
              [words['putBack'], () => update((now) => putBack(now, current(now, line)))],
            ]}
          />
        ) : (
          view.fields
            .filter(({ name }) => contested.includes(name))
            .map((field) => {
              const { name: column, label } = field
              return (
                <Conflict
                  key={column}
                  field={{ ...field, label: say(words['ofLine'], label, `${place}`) }}
                  posts={lineNames(view.name, lineId) + POSTED.stays + column}
                  text={edit?.texts[column] ?? null}
                  conflict={{
                    ...{ column, label, theirs: row?.texts[column] ?? null },
                    who: problems?.conflicts.find((one) => one.column === column)?.who ?? null,
                  }}
                  keepMine={() => update((now) => keepMine(now, current(now, line), [column]))}
                  take={() => update((now) => takeTheirs(now, current(now, line), column))}
                  focus={() => document.getElementById(lineFieldId(view, lineId, column))?.focus()}
                />
              )
            })
        )}
        {wasRemoved && (
          <Choice
            says={words['goneByOthers']}
            answers={[
              [words['leaveOut'], () => update((now) => removeLine(now, current(now, line)))],
            ]}
          />
        )}
      </td>
    </tr>
  )
}

type ChoiceProps = {
  says: string | undefined
  answers: readonly (readonly [text: string | undefined, act: () => void])[]
}

/** A question about a whole line, or about all of them. */
export const Choice = ({ says, answers }: ChoiceProps) => (
  <div className="conflict" role="group" aria-label={says}>
    <p>{says}</p>
    {answers.map(([text, act]) => (
      <button key={text} type="button" className="btn line" onClick={act}>
        {text}
      </button>
    ))}
  </div>
)

/** A field of this line. Nothing stands in for a value that a stored line does not have. */
function fieldOf(
  view: LinesView,
  field: FieldInput,
  row: LineView | undefined,
  id: string,
): FieldInput {
  const from = row ?? copyOf(view, id)
  const { default: standsIn, control, ...rest } = field
  return {
    ...rest,
    ...(row === undefined && standsIn !== undefined && { default: standsIn }),
    name: `${view.name}/${field.name}`,
    text: from?.texts[field.name] ?? null,
    control:
      control.is === 'relation' ? { ...control, label: from?.labels[field.name] ?? null } : control,
  }
}

/** A field that is emptied holds no value where it may, unless it held an empty text before. */
const valueOf = (field: FieldInput, row: LineView | undefined, typed: string | null) => {
  const wasEmpty = row?.texts[field.name] === ''
  return typed === '' && field.takesEmpty && field.nullable && !wasEmpty ? null : typed
}

function textIn(field: FieldInput, row: LineView | undefined, text: string | null) {
  const isStored = text === (row?.texts[field.name] ?? null)
  return (isStored ? row?.labels[field.name] : null) ?? text
}

const Text = ({ text }: { text: string | null }) => (
  <span className={text === null ? 'said null' : 'said'}>
    {text === null ? '–' : <Shown text={text} />}
  </span>
)
