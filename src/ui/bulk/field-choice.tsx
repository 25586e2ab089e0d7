/** One field that is changed for all selected rows: which one, in which way, and to what. */

import { useId } from 'react'
import type { BulkField } from '../../protocol/plan-view.ts'
import { FieldNotes, notesOf } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { type ChosenField, isWhole, waysOf } from './field-edits.ts'
import { useBulkWords } from './use-bulk-words.ts'
import { ValueInput } from './value-input.tsx'

type Props = {
  component: string
  /** Those to choose from. */
  fields: readonly BulkField[]
  chosen: ChosenField
  error: string | undefined
  choose(field: BulkField): void
  change(to: Partial<ChosenField>): void
  remove(): void
}

/** The focus stays where it is while a field or a way is chosen: keys step through their options. */
export function FieldChoice(props: Props) {
  const { fields, chosen, choose } = props
  const { fields: words } = useBulkWords()
  const field = fields.find(({ name }) => name === chosen.name)
  return (
    <div
      className={field ? 'form-field bulk-field' : 'form-field bulk-field blank-field'}
      role="group"
      aria-label={field?.label ?? words.choose}
    >
      <select
        className="in"
        aria-label={field ? words.chosen(field.label) : words.add}
        value={chosen.name}
        onChange={({ currentTarget: { value } }) => {
          const next = fields.find(({ name }) => name === value)
          if (next) choose(next)
        }}
      >
        {!field && <option value="">{words.choose}</option>}
        {fields.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      {field && <Change {...props} field={field} />}
    </div>
  )
}

type ChangeProps = Omit<Props, 'fields' | 'choose'> & { field: BulkField }

function Change({ component, field, chosen, error, change, remove }: ChangeProps) {
  const { fields: words } = useBulkWords()
  const id = useId()
  const ways = waysOf(field)
  const help = [field.help, field.note].filter(Boolean).join(' ') || undefined
  const hint = isWhole(chosen.way) ? undefined : help
  return (
    <div>
      <div className="control">
        <select
          className="in way"
          aria-label={words.way(field.label)}
          value={chosen.way}
          onChange={({ currentTarget: { value } }) => {
            const way = ways.find((one) => one === value)
            if (way) change({ way })
          }}
        >
          {ways.map((way) => (
            <option key={way} value={way}>
              {words.ways[way]}
            </option>
          ))}
        </select>
        <div className="value">
          <ValueInput
            {...{ component, field, chosen, change, id, error }}
            describedBy={notesOf(id, { hint, error })}
          />
        </div>
        <button
          type="button"
          className="btn icon"
          aria-label={words.remove(field.label)}
          onClick={remove}
        >
          <Icon name="close" />
        </button>
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}
