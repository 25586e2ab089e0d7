/** What the page without script offers in place of lists that open and calendars: plain fields. */

import { DATE_PRESETS, TEXT_TESTS } from '../../protocol/filters.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { presetIn } from './date-range.ts'

type Props = Pick<ControlProps, 'offer' | 'value' | 'param'>

export function WithoutScript({ offer, value, param }: Props) {
  const { filters } = useMessages()
  const { type } = offer.control
  const hasEmptiness = offer.nullable && type !== 'boolean'
  const emptiness = value && 'empty' in value ? String(value.empty) : ''
  const text = value && 'test' in value ? value : undefined
  return (
    <noscript>
      {type === 'text' && (
        <span className="plainly">
          <label>
            <input type="checkbox" name={param('not')} value="true" defaultChecked={text?.not} />
            {filters.negated}
          </label>
          <select
            className="in"
            name={param('test')}
            aria-label={filters.test(offer.label)}
            defaultValue={text?.test ?? 'contains'}
          >
            {TEXT_TESTS.map((test) => (
              <option key={test} value={test}>
                {filters.modes[test]}
              </option>
            ))}
          </select>
        </span>
      )}
      {type === 'date' && (
        <select
          className="in"
          name={param('preset')}
          aria-label={filters.presetsTitle}
          defaultValue={presetIn(value) ?? ''}
        >
          <option value="">{filters.any}</option>
          {DATE_PRESETS.map((preset) => (
            <option key={preset} value={preset}>
              {filters.presets[preset]}
            </option>
          ))}
        </select>
      )}
      {type === 'relation' && (
        <input className="in" name={param('in')} aria-label={filters.key(offer.label)} />
      )}
      {hasEmptiness && (
        <select
          className="in"
          name={param('empty')}
          aria-label={filters.test(offer.label)}
          defaultValue={emptiness}
        >
          <option value="">{filters.any}</option>
          <option value="true">{filters.modes.empty}</option>
          <option value="false">{filters.modes.filled}</option>
        </select>
      )}
    </noscript>
  )
}
