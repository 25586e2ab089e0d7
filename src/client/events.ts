/** Events of components on their way to the others on the page. */

import type { Dispatch, Effects } from '../protocol/wire.ts'

/** An event of a component, and the ids of those that were told of it on the server. */
export type SentEvent = Dispatch & {
  readonly from: string
  readonly toldOnServer: readonly string[]
}

/** The events of a batch, by the effects that were carried out of each of its components. */
export function eventsOf(batch: readonly { readonly id: string; readonly effects: Effects }[]) {
  return batch.flatMap(({ id: from, effects: { dispatches = [] } }) =>
    dispatches.map((event): SentEvent => {
      const told = batch.filter(({ effects }) =>
        effects.heard?.some((one) => one.from === from && one.event === event.name),
      )
      return { ...event, from, toldOnServer: told.map(({ id }) => id) }
    }),
  )
}
