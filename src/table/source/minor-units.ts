/** Amounts in the smallest unit of a currency as decimals in the major one, and back, with every digit. */

/** A whole number of smallest units with a point before the last digits: 1250 is `12.50` at 2 digits. */
export function inMajor(whole: string, digits: number): string {
  const [, sign = '', number] = /^(-?)(\d+)$/.exec(whole) ?? []
  if (number === undefined || digits === 0) return whole
  const padded = number.padStart(digits + 1, '0')
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** The other way round; `undefined` for a number with more digits than its currency has. */
export function inMinor(number: string, digits: number): string | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(number)) return undefined
  const [whole = '', given = ''] = number.replace(/^[+-]/, '').split('.')
  const fraction = given.replace(/0+$/, '')
  if (fraction.length > digits) return undefined
  const all = `${whole}${fraction.padEnd(digits, '0')}`.replace(/^0+(?=\d)/, '')
  return number.startsWith('-') ? `-${all}` : all
}
