/** A field whose values are chosen from a few. */

import type { Tone } from '../../protocol/table-view.ts'
import { Pill } from '../parts/pill.tsx'
import type { Shared } from './field-input.tsx'

export type ChoiceOption = readonly [value: string, label: string, tone?: Tone | undefined]

/** A value that is none of the options is one all the same: it is stored. */
export function Choice({
  field,
  text,
  change,
  options,
  drawsTones,
  placeholder,
  ...shared
}: Shared & {
  options: readonly ChoiceOption[]
  /** States are drawn as in cells, where the browser can. Without script, a form could not. Default: false. */
  drawsTones: boolean | undefined
}) {
  const isListed = text === null || options.some(([value]) => value === text)
  const hasBlank = field.nullable || text === null
  // What the database would set by itself is not offered twice.
  const standsIn = text === null ? field.default : undefined
  const blank = options.find(([value]) => value === standsIn)?.[1] ?? placeholder ?? '–'
  const chosen = options.find(([value, , tone]) => value === text && tone !== undefined)
  return (
    <select
      {...shared}
      value={text === null ? '' : `=${text}`}
      onChange={({ currentTarget: { value } }) => change(value === '' ? null : value.slice(1))}
    >
      {drawsTones && chosen && (
        <button type="button" tabIndex={-1}>
          <Pill text={chosen[1]} tone={chosen[2] ?? 'idle'} />
        </button>
      )}
      {hasBlank && <option value="">{blank}</option>}
      {!isListed && <option value={`=${text}`}>{text}</option>}
      {options
        .filter(([value]) => value !== standsIn)
        .map(([value, label, tone]) => (
          <option key={value} value={`=${value}`}>
            {drawsTones && tone ? <Pill text={label} tone={tone} /> : label}
          </option>
        ))}
    </select>
  )
}
