/** The server half of a tally: its state, and the action that counts. */

import { defineComponent } from 'tablewire'
import * as v from 'valibot'

export const tally = defineComponent({
  name: 'tally',
  params: v.object({ of: v.string(), start: v.number() }),
  state: { count: v.number(), step: v.pipe(v.number(), v.integer(), v.minValue(1)) },
  writable: ['step'],
  authorize: ({ actor }, intent) => intent.kind === 'view' || actor.role !== 'viewer',
  mount: ({ params }) => ({ count: params.start, step: 1 }),
  actions: {
    add: { args: v.strictTuple([]), run: ({ state }) => void (state.count += state.step) },
  },
  view: ({ state, params }) => ({ of: params.of, count: state.count }),
})
