/** Where values stand on a slider: evenly, or by quantiles if the column is skewed. */

/** Steps of a slider, from one end to the other. */
export const STEPS = 1000

export type Scale = {
  /** The place of a value, 0 to `STEPS`. */
  placeOf(value: number): number
  /** The value at a place, rounded to a digit that suits the range. */
  valueAt(place: number): number
}

/** `quantiles` are values at equal steps of the rows, both ends among them. */
export function sliderScale(min: number, max: number, quantiles: readonly number[] = []): Scale {
  const marks = quantiles.length > 2 && isRising(quantiles) ? quantiles : [min, max]
  const last = marks.length - 1
  const at = (place: number): number => marks[Math.max(0, Math.min(last, place))] ?? max
  return {
    placeOf(value) {
      const above = marks.findIndex((mark) => value <= mark)
      if (above === 0) return 0
      if (above === -1) return STEPS
      const [low, high] = [at(above - 1), at(above)]
      const share = high === low ? 1 : (value - low) / (high - low)
      return Math.round(((above - 1 + share) / last) * STEPS)
    },
    valueAt(place) {
      if (place <= 0) return min
      if (place >= STEPS) return max
      const exact = (place / STEPS) * last
      const [low, high] = [at(Math.floor(exact)), at(Math.floor(exact) + 1)]
      return rounded(low + (exact % 1) * (high - low), high - low || max - min)
    },
  }
}

const isRising = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value >= (values[at - 1] ?? value))

/** Rounds to a hundredth of the span, to the next power of ten below it. */
function rounded(value: number, span: number): number {
  const digit = Math.floor(Math.log10(Math.abs(span) / 100))
  if (!Number.isFinite(digit)) return value
  if (digit < 0) return Number(value.toFixed(Math.min(-digit, 15)))
  const step = 10 ** digit
  return Math.round(value / step) * step
}
