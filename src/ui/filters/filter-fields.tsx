/** One filter as a group of controls, named by its label: which test, and what it asks for. */

import { useId, useState } from 'react'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import type { ControlProps } from './control.ts'
import { DateFilter } from './date-filter.tsx'
import { DayFilter } from './day-filter.tsx'
import { useFormParts } from './form-context.ts'
import { controlFor, type Mode, modeOf, modesOf, switched } from './modes.ts'
import { NumberFilter } from './number-filter.tsx'
import { RelatedFilter } from './related-filter.tsx'
import { RelationFilter } from './relation-filter.tsx'
import { ListField, TextFilterField } from './text-filter.tsx'
import { YesNoFilter } from './yes-no-filter.tsx'

type FilterFieldsProps = Omit<ControlProps, 'control'> & {
  /** What the server said about the value. */
  errors?: readonly string[] | undefined
  /** It keeps what was typed. Default: it is shown. */
  isHidden?: boolean
}

export function FilterFields({ errors = [], isHidden = false, ...props }: FilterFieldsProps) {
  const { offer, value, change } = props
  const { filters } = useMessages()
  const id = useId()
  // Counts as long as there is no value, which says its test itself.
  const [chosen, setChosen] = useState<Mode | null>(null)
  const mode = value === undefined && chosen !== null ? chosen : modeOf(offer, value)
  const choose = (other: Mode) => {
    setChosen(other)
    const next = switched(offer, value, other)
    if (next !== undefined) change(next)
  }
  const modes = modesOf(offer, value)
  const form = useFormParts()
  const isForm = props.param('in') !== undefined
  const { control } = offer
  return (
    <fieldset
      className={`filter ${control.type}`}
      hidden={isHidden}
      data-filter={isForm ? offer.key : undefined}
      aria-labelledby={id}
    >
      <legend>
        <span id={id}>
          <Shown text={offer.label} />
        </span>
        {control.type === 'number' && control.unit && <span className="unit">{control.unit}</span>}
        {modes.length > 1 && (
          <select
            className="op needs-script"
            aria-label={filters.test(offer.label)}
            value={mode}
            onChange={({ target }) => choose(modes.find((one) => one === target.value) ?? mode)}
          >
            {modes.map((one) => (
              <option key={one} value={one}>
                {filters.modes[one]}
              </option>
            ))}
          </select>
        )}
      </legend>
      {mode !== 'empty' && mode !== 'filled' && <Control {...props} mode={mode} />}
      {isForm && (
        <noscript>{form && <form.Filter offer={offer} value={value} path={offer.key} />}</noscript>
      )}
      {offer.help && <p className="hint">{offer.help}</p>}
      {errors.length > 0 && (
        <p className="err" role="alert">
          {errors.join(' ')}
        </p>
      )}
    </fieldset>
  )
}

export function Control({ mode, ...props }: Omit<ControlProps, 'control'> & { mode: Mode }) {
  const { filters } = useMessages()
  const control = controlFor(props.offer, props.value)
  const isList = mode === 'in' || mode === 'notIn'
  switch (control.type) {
    case 'number':
      return isList ? (
        <ListField {...{ ...props, control, mode }} modeLabel={filters.modes[mode]} />
      ) : (
        <NumberFilter {...props} control={control} />
      )
    case 'date':
      return mode === 'since' || mode === 'until' ? (
        <DayFilter {...props} control={control} mode={mode} />
      ) : isList ? (
        <ListField {...{ ...props, control, mode }} modeLabel={filters.modes[mode]} />
      ) : (
        <DateFilter {...props} control={control} />
      )
    case 'text':
      return isList ? (
        <ListField {...{ ...props, control, mode }} modeLabel={filters.modes[mode]} />
      ) : (
        <TextFilterField {...{ ...props, control, mode }} modeLabel={filters.modes[mode]} />
      )
    case 'choice':
      // Values of another table cannot be listed here, but typed.
      return !props.ask && !control.choices ? (
        <ListField {...{ ...props, control, mode }} modeLabel={filters.modes[mode]} />
      ) : (
        <ChoiceFilter {...props} control={control} mode={mode} />
      )
    case 'boolean':
      return <YesNoFilter {...props} control={control} />
    case 'relation':
      return props.ask ? (
        <RelationFilter {...props} control={control} mode={mode} />
      ) : (
        <ListField {...{ ...props, control, mode }} modeLabel={filters.modes[mode]} />
      )
    case 'related':
      return <RelatedFilter {...props} control={control} />
  }
}
