/** Sums and means under a page of rows, exact as long as the values are. */

import type { Formatter } from './format.ts'
import type { Value } from './value.ts'

const DECIMAL = /^-?\d+(?:\.(\d+))?$/

/** The sum of the values that are numbers, as scaled integers; `null` where there is none. */
function addUp(values: readonly Value[]): { total: bigint; scale: number; count: number } | null {
  const texts = values.filter((value) => value !== null).map(String)
  const matches = texts.filter((text) => DECIMAL.test(text))
  if (matches.length === 0) return null
  const scale = Math.max(...matches.map((text) => DECIMAL.exec(text)?.[1]?.length ?? 0))
  const total = matches.reduce((sum, text) => sum + scaled(text, scale), 0n)
  return { total, scale, count: matches.length }
}

function scaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** `Σ` of the values, written out; `null` where there is nothing to add. */
export function sumText(values: readonly Value[], formatter: Formatter): string | null {
  const sum = addUp(values)
  return sum && formatter.number(decimalText(sum.total, sum.scale))
}

/** `ø` of the values, rounded to a whole number where they are large and to two digits else. */
export function meanText(values: readonly Value[], formatter: Formatter): string | null {
  const sum = addUp(values)
  if (!sum) return null
  const mean = Number(decimalText(sum.total, sum.scale)) / sum.count
  return formatter.number(mean, { maximumFractionDigits: Math.abs(mean) >= 10 ? 0 : 2 })
}

function decimalText(total: bigint, scale: number): string {
  if (scale === 0) return String(total)
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
