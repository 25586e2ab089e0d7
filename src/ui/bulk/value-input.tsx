/** What is asked for one way to change a field: a value, a text and what replaces it, or a column. */

import type { BulkField } from '../../protocol/plan-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Control } from '../record/field-input.tsx'
import { useBulkWords } from './use-bulk-words.ts'
import type { ChosenField } from './field-edits.ts'

type Props = {
  component: string
  field: BulkField
  chosen: ChosenField
  change(to: Partial<ChosenField>): void
  id: string
  error: string | undefined
  describedBy: string | undefined
}

export function ValueInput(props: Props) {
  const { field, chosen, change, id, error, describedBy } = props
  const { fields: words } = useBulkWords()
  const shared = {
    id,
    className: 'in',
    autoComplete: 'off',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy,
  } as const
  switch (chosen.way) {
    case 'clear':
      return <p className="hint">{words.cleared}</p>
    case 'now':
      return <p className="hint">{words.now}</p>
    case 'set':
      return <SetInput {...props} />
    case 'copy':
      return (
        <select
          {...shared}
          aria-label={words.from(field.label)}
          value={chosen.column}
          onChange={({ currentTarget: { value } }) => change({ column: value })}
        >
          <option value="">{words.fromNone}</option>
          {field.from.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )
    case 'replace':
      return (
        <>
          <input
            {...shared}
            aria-label={words.find(field.label)}
            value={chosen.text ?? ''}
            onChange={({ currentTarget: { value } }) => change({ text: value })}
          />
          <span className="hint">{words.with}</span>
          <input
            className="in"
            autoComplete="off"
            aria-label={words.replacement(field.label)}
            value={chosen.with}
            onChange={({ currentTarget: { value } }) => change({ with: value })}
          />
        </>
      )
    default:
      return (
        <input
          {...shared}
          inputMode={chosen.way === 'append' ? undefined : 'decimal'}
          aria-label={words.value(field.label)}
          value={chosen.text ?? ''}
          onChange={({ currentTarget: { value } }) => change({ text: value })}
        />
      )
  }
}

/** The form's own input. What nothing was given for is no value to set. */
function SetInput({ field, chosen, change, id, error, describedBy }: Props) {
  const { fields: words } = useBulkWords()
  const hasCells = usePage().components.some((one) => one.id === CELLS)
  const { default: _, ...asked } = field
  const isLookedUp = field.control.is === 'relation' && hasCells
  return (
    <>
      <Control
        {...{ id, error, describedBy }}
        component={CELLS}
        field={{
          ...{ ...asked, nullable: false, required: true, text: null },
          ...(field.control.is === 'relation' && !isLookedUp && { control: { is: 'text' } }),
        }}
        name={words.value(field.label)}
        text={chosen.text}
        label={chosen.label}
        change={(text, label) => change({ text, label })}
      />
      {field.unit !== undefined && <span className="unit">{field.unit}</span>}
    </>
  )
}

/** The component of the list by which related rows are looked up. */
const CELLS = 'cells'
