/** An empty list: how many rows there would be without each of its conditions. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import type { KeptOut } from '../../../protocol/table-component.ts'
import { AppError } from '../../../server/app-error.ts'
import { formatterFor } from '../../format.ts'
import { defineConcern, type ListContext } from '../concern.ts'
import { COUNT_BOUND } from '../totals.ts'

/** Longest time for all counts together, ms; what is not counted by then is offered without a count. */
const COUNTS_MS = 3000

export const keptOut = defineConcern({
  name: 'keptOut',
  state: {},
  initial: {},
  address: { names: [], owns: () => false, read: () => ({}), write: () => [] },
  actions: {
    /** Counts one after the other, under the reader's own access, and only as far as the bound. */
    keptOut: {
      kind: 'query',
      args: v.strictTuple([]),
      async run(context): Promise<KeptOut> {
        const { conditions, none } = await context.narrowedBy()
        const words = messagesFor(context.language).keptOut
        const count = counting(context)
        const lines: KeptOut['lines'] = []
        for (const { label, value, without } of conditions)
          lines.push({ label, value, ...(await count(without, `${label} ${value}`)) })
        const { title, lead, without, rows, note } = words
        return {
          ...{ title, lead, without, rows, note, lines },
          any:
            lines.length < 2
              ? null
              : { label: words.any, value: '', ...(await count(none, words.conditions)) },
        }
      },
    },
  },
  view: () => ({}),
})

type Counted = Omit<KeptOut['lines'][number], 'label' | 'value'>

/** Counts the rows of the listing with other state, and says where they are. */
function counting(context: ListContext<object>) {
  const { opened, signal, language } = context
  const { source, now = Date.now } = opened.services
  const { number } = formatterFor(context)
  const { keptOut: words, list } = messagesFor(language)
  const end = now() + COUNTS_MS
  return async (change: object, what: string): Promise<Counted> => {
    const run = { signal, timeoutMs: end - now(), bound: COUNT_BOUND }
    const found =
      run.timeoutMs <= 0
        ? null
        : await source.count(opened.access, context.where(change), run).catch(notInTime)
    if (found?.count === 0) return { count: words.still, href: null, name: null }
    const count = found ? list.total[found.kind](number(found.count)) : list.total.unknown
    return { count, href: context.href(change), name: words.link(count, what) }
  }
}

/** A count that takes too long is left out; other failures are failures. */
function notInTime(error: unknown): null {
  if (error instanceof AppError && (error.code === 'QUERY_TIMEOUT' || error.code === 'BUSY'))
    return null
  throw error
}
