/** Events that components of a batch dispatch to others on the page. */

import type { Dispatch, Effects } from '../protocol/wire.ts'

/** An event of a component, and the ids of those that have already handled it on the server. */
export type SentEvent = Dispatch & {
  readonly from: string
  readonly handledOnServer: readonly string[]
}

/** The events of a batch, from the effects of each of its components. */
export function eventsOf(batch: readonly { readonly id: string; readonly effects: Effects }[]) {
  return batch.flatMap(({ id: from, effects: { dispatches = [] } }) =>
    dispatches.map((event): SentEvent => {
      const handled = batch.filter(({ effects }) =>
        effects.heard?.some((one) => one.from === from && one.event === event.name),
      )
      return { ...event, from, handledOnServer: handled.map(({ id }) => id) }
    }),
  )
}
