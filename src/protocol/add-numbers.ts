/** Adds decimals up, which are of any length. */

import type { NumberBound } from './filters.ts'
import { scaled } from './numbers.ts'

/** The sum, exactly, with as many places as the longest has; `null` if one is no decimal. */
export function addNumbers(numbers: readonly NumberBound[]): string | null {
  const all = numbers.map(scaled)
  const places = Math.max(0, ...all.map((one) => one?.places ?? 0))
  let sum = 0n
  for (const one of all) {
    if (one === null) return null
    sum += one.digits * 10n ** BigInt(places - one.places)
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - places),
    digits.slice(digits.length - places),
  ]
  return `${sum < 0n ? '-' : ''}${whole}${places > 0 ? `.${fraction}` : ''}`
}
