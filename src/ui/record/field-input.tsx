/** One field of a form: its control by what the column holds, NULL, and what is wrong with it. */

import type { ReactNode } from 'react'
import {
  type FieldConflict,
  type FieldControl,
  type FieldInput,
  POSTED,
} from '../../protocol/form-view.ts'
import { endedAs } from '../../protocol/line-ends.ts'
import { useKinds } from '../kinds/kinds-context.tsx'
import { FieldNotes, notesOf } from '../parts/field.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Choice } from './choice.tsx'
import { Conflict } from './conflict.tsx'
import { fieldId } from './field-ids.ts'
import { FileInput } from './file-input.tsx'
import { MomentField } from './moment-field.tsx'
import { RelationField } from './relation-field.tsx'
import type { ArrivingFile } from './use-arriving.ts'

export type FieldInputProps = {
  /** Id of the form's component. */
  component: string
  /** The column of that form whose related table the field is of. Default: of the form's own. */
  within?: string | undefined
  field: FieldInput
  /** What the field holds now; `null` is NULL. */
  text: string | null
  /** Label of the related row that was chosen. */
  label?: string | undefined
  isEdited: boolean
  error: string | undefined
  conflict: FieldConflict | undefined
  change(text: string | null, label?: string): void
  take(): void
  keepMine(): void
  /** Where the form takes files: what has become of one that is on its way. */
  setArriving?: ((column: string, as: ArrivingFile | null) => void) | undefined
}

/** Controls whose values are short. */
const SHORT: ReadonlySet<FieldControl['is']> = new Set([
  ...(['number', 'yes-no', 'choice', 'date', 'time', 'moment'] as const),
])

/** Whether the field is required and holds nothing yet, or nothing any more. */
const isAsked = ({ required, isMasked, text: stored }: FieldInput, text: string | null): boolean =>
  required && !isMasked && (stored === null || text === null || (text === '' && stored !== ''))

export function FieldRow(props: FieldInputProps) {
  const { component, within, field, text, isEdited, error, conflict, change } = props
  const { editing } = useMessages()
  const id = fieldId(component, within, field.name)
  const hint = [field.help, field.note].filter(Boolean).join(' ') || undefined
  return (
    <div className={isEdited ? 'form-field edited' : 'form-field'}>
      <label id={`${id}-label`} htmlFor={id}>
        <Shown text={field.label} />
        {isAsked(field, text) && <span className="hint"> {editing.required}</span>}
      </label>
      <div>
        <span className={SHORT.has(field.control.is) ? 'control short' : 'control'}>
          <Measured unit={field.unit}>
            <Control {...props} id={id} describedBy={notesOf(id, { hint, error })} />
          </Measured>
          {field.nullable && text !== null && field.control.is !== 'file' && (
            <button
              type="button"
              className="plain needs-script"
              aria-label={editing.clearOf(field.label)}
              onClick={() => change(null)}
            >
              {editing.clear}
            </button>
          )}
          <noscript>
            <NoText field={field} text={text} />
          </noscript>
        </span>
        <FieldNotes id={id} hint={hint} error={error} />
        {conflict && (
          <Conflict
            {...props}
            conflict={conflict}
            focus={() => document.getElementById(id)?.focus()}
          />
        )}
      </div>
    </div>
  )
}

/** A figure stands with its unit within one edge. */
function Measured({ unit, children }: { unit: string | undefined; children: ReactNode }) {
  if (unit === undefined) return children
  return (
    <span className="measured">
      {children}
      <span className="unit">{unit}</span>
    </span>
  )
}

/** Without script, NULL and an empty text are told apart by a tick: a field that is left empty stays as it was. */
function NoText({ field, text }: Pick<FieldInputProps, 'field' | 'text'>) {
  const { cell, editing } = useMessages()
  if (!field.takesEmpty || field.required || (text !== null && !field.nullable)) return null
  const [kind, says] = text === null ? [POSTED.empty, cell.empty] : [POSTED.none, editing.noValue]
  return (
    <label className="hint">
      <input type="checkbox" name={kind + field.name} />
      <span className="sr"> {field.label}:</span> {says}
    </label>
  )
}

type ControlProps = Pick<
  FieldInputProps,
  'component' | 'within' | 'field' | 'text' | 'label' | 'error' | 'change' | 'setArriving'
> & {
  /** The name by which it is posted, where that is not the column's. */
  posts?: string
  take?: (() => void) | undefined
  id: string
  describedBy: string | undefined
  /** Where no label names it. */
  name?: string
  /** States to choose from are drawn as in cells. Default: false. */
  drawsTones?: boolean
}

export function Control({
  component,
  within,
  field,
  text,
  label,
  error,
  change,
  take = () => undefined,
  setArriving = () => undefined,
  id,
  describedBy,
  name: called,
  posts = POSTED.text + field.name,
  drawsTones,
}: ControlProps) {
  const { editing, cell } = useMessages()
  const { control, name, kind } = field
  const Own = useKinds().get(kind ?? '')?.field
  const shared = {
    ...{ id, name: posts, className: 'in' },
    'aria-label': called,
    'aria-describedby': describedBy,
    'aria-invalid': error ? true : undefined,
    'aria-required': isAsked(field, text) ? true : undefined,
    placeholder: text === null ? placeholderOf(field, editing) : undefined,
  } as const
  if (Own) {
    const { placeholder, ...input } = shared
    return <Own {...{ text, placeholder, input }} set={change} column={field} />
  }
  switch (control.is) {
    case 'long':
    case 'json':
      return (
        <textarea
          {...shared}
          className={control.is === 'json' ? 'in code' : 'in'}
          rows={rowsOf(text ?? '')}
          spellCheck={control.is === 'long'}
          value={text ?? ''}
          onChange={({ currentTarget: { value } }) => change(endedAs(value, field.text))}
        />
      )
    case 'yes-no':
      return (
        <Choice
          {...shared}
          field={field}
          text={text}
          change={change}
          drawsTones={false}
          options={[
            ['true', cell.yes],
            ['false', cell.no],
          ]}
        />
      )
    case 'choice':
      return (
        <Choice
          {...shared}
          field={field}
          text={text}
          change={change}
          drawsTones={drawsTones}
          options={control.options.map((option) => [
            option,
            control.labels?.[option] ?? option,
            control.tones?.[option],
          ])}
        />
      )
    case 'relation':
      return (
        <RelationField
          {...{ component, within, control, text, change }}
          column={name}
          label={label ?? (text === field.text ? control.label : null)}
          input={shared}
        />
      )
    case 'file': {
      const { name: _, placeholder: __, className: ___, 'aria-label': ____, ...facts } = shared
      const input = { ...facts, 'aria-labelledby': `${id}-label` }
      return (
        <FileInput
          {...{ component, field, control, text, label, change, take, setArriving, input }}
        />
      )
    }
    case 'date':
    case 'moment':
      return (
        <MomentField
          {...shared}
          type="text"
          label={field.label}
          text={text}
          hasTime={control.is === 'moment'}
          isOwnClock={field.reading !== undefined}
          change={change}
          autoComplete="off"
          value={text ?? ''}
          onChange={({ currentTarget: { value } }) => change(value)}
        />
      )
    default: {
      const offered = control.is === 'text' ? control.suggestions : undefined
      return (
        <>
          <input
            {...shared}
            type="text"
            inputMode={control.is === 'number' ? 'decimal' : undefined}
            maxLength={field.maxLength}
            list={offered && `${id}-offered`}
            autoComplete="off"
            value={text ?? ''}
            onChange={({ currentTarget: { value } }) => change(value)}
          />
          {offered && (
            <datalist id={`${id}-offered`}>
              {offered.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )
    }
  }
}

/** How many lines a text takes: where the browser does not measure it, by its length. */
const rowsOf = (text: string): number =>
  Math.min(
    MOST_ROWS,
    Math.max(
      LEAST_ROWS,
      text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length || 1) / ROW), 0),
    ),
  )

const [LEAST_ROWS, MOST_ROWS] = [3, 16]
/** Characters that stand in one line of a field, about. */
const ROW = 70

/** What a field that is left empty will hold. */
const placeholderOf = (
  { default: standsIn, nullable, required, isMasked }: FieldInput,
  { noValue, byDatabase }: { noValue: string; byDatabase: string },
): string | undefined =>
  isMasked ? '••••••••' : (standsIn ?? (nullable ? noValue : required ? undefined : byDatabase))

/** What the controls have in common. */
export type Shared = Pick<FieldInputProps, 'field' | 'text' | 'change'> & {
  id: string
  name: string
  className: string
  placeholder: string | undefined
}
