/** Single-precision numbers, which databases show in fewer digits than JavaScript. */

/** The shortest digits that identify the nearest single-precision number, as MySQL shows it. */
export function shortestSingle(number: number): number {
  const single = Math.fround(number)
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits))
    if (Math.fround(short) === single) return short
  }
  return Number(single.toPrecision(9))
}
