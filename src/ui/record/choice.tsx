/** A field whose values are chosen from a few. */

import type { Shared } from './field-input.tsx'

/** A value that is none of the options is one all the same: it is stored. */
export function Choice({
  field,
  text,
  change,
  options,
  placeholder,
  ...shared
}: Shared & { options: readonly (readonly [value: string, label: string])[] }) {
  const isListed = text === null || options.some(([value]) => value === text)
  const hasBlank = field.nullable || text === null
  // What the database would set by itself is not offered twice.
  const standsIn = text === null ? field.default : undefined
  const blank = options.find(([value]) => value === standsIn)?.[1] ?? placeholder ?? '–'
  return (
    <select
      {...shared}
      value={text === null ? '' : `=${text}`}
      onChange={({ currentTarget: { value } }) => change(value === '' ? null : value.slice(1))}
    >
      {hasBlank && <option value="">{blank}</option>}
      {!isListed && <option value={`=${text}`}>{text}</option>}
      {options
        .filter(([value]) => value !== standsIn)
        .map(([value, label]) => (
          <option key={value} value={`=${value}`}>
            {label}
          </option>
        ))}
    </select>
  )
}
