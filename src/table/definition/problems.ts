/** Mistakes in declarations: where each is, what is wrong, and what was probably meant. */

export type Problem = {
  /** Where it is, such as `tables.orders.columns.totl`. */
  readonly path: string
  /** What is wrong, as a sentence. */
  readonly message: string
}

/** A mistake; the message is written for the author of the declaration. */
export const report = (path: string, message: string): Problem => ({ path, message })

/** One line of text for each mistake. */
export const problemLines = (problems: readonly Problem[]): string[] =>
  problems.map(({ path, message }) => `${path}: ${message}`)

/** All mistakes in the definitions; the message has a line for each. */
export class DefinitionError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problemLines(problems).join('\n'))
    this.name = 'DefinitionError'
    this.problems = problems
  }
}

/** The path of a name within `path`. */
export const within = (path: string, name: string): string => {
  if (!/^[\p{L}_$][\p{L}\d_$]*$/u.test(name)) return `${path}[${JSON.stringify(clip(name))}]`
  return path === '' ? name : `${path}.${name}`
}

/** A value of any type in a few words, for a sentence. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return `[${clip(value)}]`
  if (typeof value === 'number' || typeof value === 'boolean') return `[${value}]`
  if (value === null || value === undefined) return `[${value}]`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Longest text that a message quotes, in characters. */
const QUOTE_MAX = 60

const clip = (text: string): string => {
  const line = text.replace(/\p{Cc}/gu, '�')
  return line.length > QUOTE_MAX ? `${line.slice(0, QUOTE_MAX)}…` : line
}

/** The name that was probably meant, if one of `names` is close enough. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = plain(name)
  // A third of the letters may be wrong; with more, it is another word.
  let [best, distance]: [string | undefined, number] = [
    undefined,
    Math.floor(wanted.length / 3) + 1,
  ]
  for (const candidate of names) {
    const edits = distanceOf(wanted, plain(candidate), distance)
    if (edits < distance) [best, distance] = [candidate, edits]
  }
  return best
}

/** Asks for the closest of `names`, after a sentence; `''` if none is close enough. */
export function suggestion(name: string, names: Iterable<string>): string {
  const meant = nearest(name, names)
  return meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`
}

/** Leaves out case and separators, which people mix up. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s_\-.]/g, '')
    .slice(0, QUOTE_MAX)

/** The edit distance, a swap of neighbours counting as one edit; at most `limit`. */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        editsAt(last, j) + 1,
        editsAt(row, j - 1) + 1,
        editsAt(last, j - 1) + (isSame ? 0 : 1),
        isSwap ? editsAt(before, j - 2) + 1 : Infinity,
      )
    }
    ;[before, last] = [last, row]
  }
  return editsAt(last, b.length)
}

const editsAt = (row: readonly number[], at: number): number => row[at] ?? Infinity
