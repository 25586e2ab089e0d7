/** One field of the page of corrections: what it holds, what was read, and what puts that back. */

import { useId } from 'react'
import type { CorrectionChoice, CorrectionField } from '../../protocol/corrections-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import { ColumnOrder } from './column-order.tsx'
import { ValueNames } from './value-names.tsx'
import type { CorrectionsWords } from './corrections-words.ts'

type Props = {
  readonly field: CorrectionField
  readonly words: CorrectionsWords
  /** Holds something that is not saved. */
  readonly isEdited?: boolean
  /** Makes the option what it was read as. Default: a button of the form does, by the page's own way. */
  readonly putBack?: ((part: string) => void) | undefined
  /** Goes on to a column. Default: its link does. */
  readonly show?: ((column: string) => void) | undefined
}

export function CorrectionControl({ field, words, isEdited, putBack, show }: Props) {
  const id = useId()
  const isSeveral = !['text', 'choice'].includes(field.kind)
  return (
    <div
      className={isEdited ? 'field edited' : 'field'}
      data-part={field.part}
      {...(isSeveral && { role: 'group', 'aria-labelledby': `${id}-label` })}
    >
      {isSeveral || field.fixed ? (
        <span id={`${id}-label`} className="named">
          {field.label}
        </span>
      ) : (
        <label htmlFor={id}>{field.label}</label>
      )}
      {field.fixed && field.kind !== 'columns' ? (
        <p className="said">
          <Shown text={field.fixed.value} />
        </p>
      ) : (
        <Control {...{ id, field, words, show }} />
      )}
      <p id={`${id}-hint`} className="hint">
        {field.fixed && (
          <>
            <code>
              <Shown text={field.fixed.where} />
            </code>{' '}
          </>
        )}
        <Shown text={[field.read, field.by, field.hint].filter(Boolean).join(' ')} />{' '}
        {(field.back !== null || (putBack && isEdited)) && (
          <button
            type={putBack ? 'button' : 'submit'}
            className="plain"
            name="back"
            value={field.back ?? ''}
            aria-label={say(words.putBackOf, field.label)}
            onClick={() => putBack?.(field.part)}
          >
            {words.putBack}
          </button>
        )}
      </p>
      {field.error !== '' && (
        <p id={`${id}-error`} className="err">
          <Icon name="warning" />
          <Shown text={field.error} />
        </p>
      )}
    </div>
  )
}

/** What describes a control of the field, and whether what it holds is refused. */
const notesOf = (id: string, isWrong: boolean) => ({
  'aria-describedby': isWrong ? `${id}-error ${id}-hint` : `${id}-hint`,
  'aria-invalid': isWrong || undefined,
})

type ControlProps = Props & { readonly id: string }

function Control({ id, field, words, show }: ControlProps) {
  const notes = notesOf(id, field.error !== '')
  const shared = { name: field.part, className: 'in', ...notes }
  switch (field.kind) {
    case 'text':
      return <input {...shared} id={id} defaultValue={field.value} maxLength={field.max} />
    case 'choice':
      return (
        <select {...shared} id={id} defaultValue={field.value}>
          <Options options={field.options} />
        </select>
      )
    case 'choices':
      return (
        <span className="several">
          {field.values.map((value, at) => (
            <select
              key={at}
              {...shared}
              aria-label={nameOf(field.label, at, words)}
              defaultValue={value}
            >
              <option value="">{words.none}</option>
              <Options options={field.options} />
            </select>
          ))}
        </span>
      )
    case 'order':
      return <Order field={field} words={words} notes={notes} />
    case 'names':
      return (
        <ValueNames
          names={field.names}
          max={field.max}
          words={words}
          notesOf={(isWrong) => notesOf(id, isWrong)}
        />
      )
    case 'columns':
      return (
        <ColumnOrder
          part={field.fixed ? null : field.part}
          {...{ columns: field.columns, words, show }}
        />
      )
  }
}

type OrderProps = {
  readonly field: Extract<CorrectionField, { kind: 'order' }>
  readonly words: CorrectionsWords
  readonly notes: ReturnType<typeof notesOf>
}

const Order = ({ field, words, notes }: OrderProps) => (
  <span className="several">
    {field.terms.map(({ column, descending }, at) => (
      <span key={at} className="term">
        <select
          name={field.part}
          className="in"
          aria-label={nameOf(field.label, at, words)}
          {...notes}
          defaultValue={column}
        >
          <option value="">{words.none}</option>
          <Options options={field.options} />
        </select>
        <select
          name="direction"
          className="in"
          aria-label={say(words.direction, String(at + 1))}
          defaultValue={descending ? 'descending' : 'ascending'}
        >
          <option value="ascending">{words.ascending}</option>
          <option value="descending">{words.descending}</option>
        </select>
      </span>
    ))}
  </span>
)

/** The first one is called as the field, those after it by their place. */
const nameOf = (label: string, at: number, words: CorrectionsWords): string =>
  at === 0 ? label : `${label}, ${say(words.then, String(at + 1))}`

const Options = ({ options }: { readonly options: readonly CorrectionChoice[] }) =>
  [...Map.groupBy(options, ({ group }) => group)].map(([group, some]) => {
    const drawn = some.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))
    return group === undefined ? (
      drawn
    ) : (
      <optgroup key={group} label={group}>
        {drawn}
      </optgroup>
    )
  })
