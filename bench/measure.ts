/** Measures figures: interleaved rounds, medians and percentiles. */

/** The middle of the values. */
export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The value below which a share `p` (0 to 1) of the values lies. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

/** Milliseconds that each of `times` runs takes, one after the other. */
export async function timed(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await run()
    taken.push(performance.now() - started)
  }
  return taken
}

/** Medians of several runs, in turns, so that a busy moment affects all of them. */
export async function interleaved<Name extends string>(
  rounds: number,
  runs: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (const name of names) await runs[name]()
  for (let round = 0; round < rounds; round++)
    for (const name of names) taken[name].push(...(await timed(1, runs[name])))
  return Object.fromEntries(names.map((name) => [name, median(taken[name])])) as Record<
    Name,
    number
  >
}

/** Times by name, as one line. */
export const listed = (times: Readonly<Record<string, number>>, digits: number): string =>
  Object.entries(times)
    .map(([name, ms]) => `${name} ${ms.toFixed(digits)}`)
    .join(', ')

export type Figure = {
  readonly what: string
  readonly value: string
  readonly bound: string
  readonly holds: boolean
}

/** A ratio with an upper bound. */
export const atMost = (
  what: string,
  value: number,
  bound: number,
  unit = '',
  digits = 2,
): Figure => ({
  what,
  value: `${value.toFixed(digits)}${unit}`,
  bound: `≤ ${bound}${unit}`,
  holds: value <= bound,
})

export const atLeast = (what: string, value: number, bound: number): Figure => ({
  what,
  value: value.toFixed(2),
  bound: `≥ ${bound}`,
  holds: value >= bound,
})

/** A ratio without a bound. */
export const reported = (what: string, value: number): Figure => ({
  what,
  value: value.toFixed(2),
  bound: 'reported',
  holds: true,
})
