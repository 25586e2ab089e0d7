/** The simulator's components: a desk at which a person works, and the shell's tally of all work. */

import * as v from 'valibot'
import type { EffectSink } from '../../src/server/component/effects.ts'
import { type AnyComponent, defineComponent } from '../../src/server/component/define.ts'

/** What outlives a process: every row that was written, in order and as often as it was written. */
export class Database {
  readonly rows: string[] = []
}

/** What components need from the process that runs them. */
export type Surroundings = {
  readonly database: Database
  /** Waits for the database for a time that chance decides; rejects once `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void>
}

/** Fields of the desk that a person types into. */
export const FIELDS = ['search', 'note', 'quantity'] as const
export type Field = (typeof FIELDS)[number]

const text = v.strictTuple([v.string()])
const deskState = {
  search: v.string(),
  note: v.string(),
  quantity: v.pipe(v.string(), v.regex(/^\d*$/)),
  done: v.array(v.string()),
}
type DeskState = { [Name in keyof typeof deskState]: v.InferOutput<(typeof deskState)[Name]> }

/** The rows that a search shows. */
export const found = (rows: readonly string[], search: string): string[] =>
  rows.filter((row) => row.includes(search.slice(-1)))

/** As in a list, the address holds the state, so that a page that is fetched anew goes on from it. */
function showAddress(state: DeskState, effects: EffectSink): void {
  const { done, ...fields } = state
  const query = new URLSearchParams({ ...fields, done: done.join(' ') })
  effects.url(`/desk?${query}`, 'replace')
}

export function componentsOf({ database, wait }: Surroundings): ReadonlyMap<string, AnyComponent> {
  async function write(id: string, signal: AbortSignal): Promise<string> {
    await wait(signal)
    database.rows.push(id)
    return id
  }
  const desk = defineComponent({
    name: 'desk',
    state: deskState,
    writable: ['search', 'note', 'quantity'],
    dispatches: { added: v.string() },
    authorize: () => true,
    mount: ({ query }) => ({
      search: query.get('search') ?? '',
      note: query.get('note') ?? '',
      quantity: query.get('quantity') ?? '',
      done: (query.get('done') ?? '').split(' ').filter((id) => id !== ''),
    }),
    updated: ({ state, effects }) => showAddress(state, effects),
    actions: {
      mark: {
        args: text,
        run({ state, effects }, id) {
          state.done.push(id)
          showAddress(state, effects)
          return id
        },
      },
      add: {
        kind: 'write',
        args: text,
        async run({ state, effects, signal }, id) {
          await write(id, signal)
          state.done.push(id)
          showAddress(state, effects)
          effects.dispatch('added', id)
          return id
        },
      },
      find: {
        kind: 'query',
        args: text,
        async run({ signal }, id) {
          await wait(signal)
          return id
        },
      },
    },
    dependsOn: () => String(database.rows.length),
    async load({ state, signal }) {
      const rows = found(database.rows, state.search)
      await wait(signal)
      return { data: rows }
    },
    view: ({ state, data }) => ({ search: state.search, rows: data }),
  })
  const tally = defineComponent({
    name: 'tally',
    state: { heard: v.array(v.string()) },
    authorize: () => true,
    mount: () => ({ heard: [] }),
    actions: {
      bump: { kind: 'write', args: text, run: ({ signal }, id) => write(id, signal) },
    },
    on: { added: { detail: v.string(), run: ({ state }, id) => void state.heard.push(id) } },
    dependsOn: () => String(database.rows.length),
    async load({ signal }) {
      const count = database.rows.length
      await wait(signal)
      return { data: count }
    },
    view: ({ state, data }) => ({ count: data, heard: state.heard }),
  })
  return new Map<string, AnyComponent>(
    [desk, tally].map((component) => [component.name, component]),
  )
}
