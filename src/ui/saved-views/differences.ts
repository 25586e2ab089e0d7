/** In what a list differs from the saved view at which it is open. */

/** What parameters are about, besides filters. */
const OTHERS = { search: 'search', sort: 'order', columns: 'columns', size: 'rows' } as const

export type Other = (typeof OTHERS)[keyof typeof OTHERS] | 'others'

export type Differences = { readonly filters: number; readonly others: readonly Other[] }

/** Of two queries of a list. The parts of one filter are one thing. */
export function differencesOf(before: string, now: string): Differences {
  const [was, is] = [thingsOf(before), thingsOf(now)]
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (thing) => was.get(thing) !== is.get(thing),
  )
  const others = changed.filter((thing) => !isFilter(thing)).map(otherOf)
  return { filters: changed.filter(isFilter).length, others: [...new Set(others)] }
}

/** That marked rows are shown says that their filter is not there. */
const isFilter = (thing: string) => thing.startsWith('filter.')

const isOther = (thing: string): thing is keyof typeof OTHERS => thing in OTHERS

const otherOf = (thing: string): Other => (isOther(thing) ? OTHERS[thing] : 'others')

function thingsOf(query: string): Map<string, string> {
  const things = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'deleted') continue
    const thing = name.split('.', 2).join('.')
    things.set(thing, `${things.get(thing) ?? ''}&${name}=${value}`)
  }
  return things
}
