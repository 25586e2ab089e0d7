/** Sums and means under a page of rows, exact as long as the values are. */

import type { Formatter } from '../format.ts'
import type { Value } from '../source/value.ts'

/** A sum in units of its smallest digit: 12.5 is 125 at a scale of 1. */
type Sum = { readonly total: bigint; readonly scale: number; readonly count: number }

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** The exact sum of the values that are numbers; `null` if there are none. */
function addUp(values: readonly Value[]): Sum | null {
  const numbers = values.filter(isDecimal)
  if (numbers.length === 0) return null
  const scale = Math.max(...numbers.map(scaleOf))
  const total = addDoubles(numbers, scale) ?? addDigits(numbers, scale)
  return { total, scale, count: numbers.length }
}

const isDecimal = (value: Value): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : value !== null && DECIMAL.test(digitsOf(value))

/** Digits after the point. Most doubles have few, which is found without formatting them. */
function scaleOf(value: Value): number {
  if (typeof value === 'number')
    for (const [scale, unit] of [1, 10, 100, 1000].entries())
      if (Math.round(value * unit) / unit === value) return scale
  return fractionOf(digitsOf(value)).length
}

/** The value, written without an exponent. */
function digitsOf(value: Value): string {
  const text = String(value)
  if (typeof value !== 'number' || !Number.isFinite(value) || !text.includes('e')) return text
  return Math.abs(value) >= 1 ? String(BigInt(value)) : value.toFixed(20).replace(/\.?0+$/, '')
}

const fractionOf = (text: string): string => text.split('.', 2)[1] ?? ''

/** Adds as doubles; `null` if the error could reach half of the smallest digit. */
function addDoubles(numbers: readonly Value[], scale: number): bigint | null {
  let [sum, magnitude] = [0, 0]
  for (const value of numbers) {
    if (typeof value !== 'number') return null
    sum += value
    magnitude += Math.abs(value)
  }
  return magnitude * 10 ** scale * numbers.length < 2 ** 50
    ? BigInt(Math.round(sum * 10 ** scale))
    : null
}

const addDigits = (numbers: readonly Value[], scale: number): bigint =>
  numbers.map(digitsOf).reduce((sum, text) => {
    const fraction = fractionOf(text)
    const whole = fraction === '' ? text : text.slice(0, -fraction.length - 1)
    return sum + BigInt(whole + fraction.padEnd(scale, '0'))
  }, 0n)

/** Money with a fraction has at least two digits after the point, as in its cells. */
const MONEY = { minimumFractionDigits: 2, maximumFractionDigits: 20 }

/** `Σ` of the values as text; `null` if there is nothing to add. */
export function sumText(
  values: readonly Value[],
  formatter: Formatter,
  isMoney = false,
): string | null {
  const sum = addUp(values)
  if (!sum) return null
  const text = decimalText(sum.total, sum.scale)
  return isMoney && sum.scale > 0 ? formatter.number(text, MONEY) : formatter.number(text)
}

/** `ø` of the values: money to two digits, other large numbers to a whole number. */
export function meanText(
  values: readonly Value[],
  formatter: Formatter,
  isMoney = false,
): string | null {
  const sum = addUp(values)
  if (!sum) return null
  const mean = Number(decimalText(sum.total, sum.scale)) / sum.count
  if (isMoney) return formatter.number(mean, { ...MONEY, maximumFractionDigits: 2 })
  return formatter.number(mean, { maximumFractionDigits: Math.abs(mean) >= 10 ? 0 : 2 })
}

function decimalText(total: bigint, scale: number): string {
  if (scale === 0) return String(total)
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
