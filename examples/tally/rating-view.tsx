/** The browser half of ratings: stars that screen readers read as a number, and a list to choose them from. */

import type { ClientKind, KindFieldProps } from 'tablewire/ui'

const STARS = ['0', '1', '2', '3', '4', '5']

function StarsField({ text, set, column, input, placeholder = '–' }: KindFieldProps) {
  /** Something else may be stored, and stays until somebody chooses. */
  const isOther = text !== null && !STARS.includes(text)
  return (
    <select
      {...input}
      value={text ?? ''}
      onChange={({ currentTarget: { value } }) => set(value === '' ? null : value)}
    >
      {(column.nullable || text === null) && <option value="">{placeholder}</option>}
      {isOther && <option>{text}</option>}
      {STARS.map((stars) => (
        <option key={stars} value={stars}>
          {`${stars} ${'★'.repeat(Number(stars))}`}
        </option>
      ))}
    </select>
  )
}

export const rating: ClientKind = {
  cell: ({ text, more }) => (
    <span role="img" aria-label={`${more} of 5`}>
      {text}
    </span>
  ),
  field: StarsField,
  fits: (text) => /^★*$/.test(text),
  inLink: true,
}
