/** One of a few answers, side by side: yes, no or not set; some, none or every related row. */

import { useId } from 'react'
import type { FilterControl } from '../../protocol/filters.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'

type AnswersProps<Answer extends string> = {
  label: string
  answers: readonly (readonly [answer: Answer | '', label: string])[]
  chosen: Answer | ''
  name: string | undefined
  choose(answer: Answer | ''): void
}

export function Answers<Answer extends string>(props: AnswersProps<Answer>) {
  const id = useId()
  return (
    <div className="seg" role="radiogroup" aria-label={props.label}>
      {props.answers.map(([answer, label]) => (
        <label key={answer}>
          <input
            type="radio"
            name={props.name ?? id}
            value={answer}
            checked={props.chosen === answer}
            onChange={() => props.choose(answer)}
          />
          {label}
        </label>
      ))}
    </div>
  )
}

export function YesNoFilter(props: ControlProps<Extract<FilterControl, { type: 'boolean' }>>) {
  const { offer, value, change, param } = props
  const { filters, cell } = useMessages()
  return (
    <Answers<'yes' | 'no' | 'unset'>
      label={offer.label}
      answers={[
        ['', filters.any],
        ['yes', cell.yes],
        ['no', cell.no],
        ...(offer.nullable ? ([['unset', filters.unset]] as const) : []),
      ]}
      chosen={value && 'is' in value ? value.is : ''}
      name={param('is')}
      choose={(is) => change(is === '' ? null : { is })}
    />
  )
}
