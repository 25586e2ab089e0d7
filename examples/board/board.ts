/** The server half of the board: the queue by state, one inspection in detail, a note for the next shift. */

import { defineComponent, parseDateTime, type Predicate } from 'tablewire'
import * as v from 'valibot'

export const STATES = ['waiting', 'scheduled', 'in progress', 'blocked'] as const

/** More than that would not fit on a wall. */
const MOST = 100

const all: Predicate = { op: 'and', all: [] }

/** As the board’s field writes it; nobody has to be reminded. */
const isMomentOrEmpty = (text: string): boolean => text === '' || parseDateTime(text) !== undefined

export const board = defineComponent({
  name: 'board',
  state: {
    priority: v.picklist(['all', 'urgent', 'high', 'normal', 'low']),
    chosen: v.nullable(v.number()),
    note: v.pipe(v.string(), v.maxLength(500)),
    remindAt: v.pipe(v.string(), v.check(isMomentOrEmpty, 'This is no date and time.')),
  },
  writable: ['priority', 'note', 'remindAt'],
  dispatches: { kept: v.object({ characters: v.number(), remindAt: v.string() }) },
  authorize: () => true,
  mount: () => ({ priority: 'all', chosen: null, note: '', remindAt: '' }),
  actions: {
    choose: {
      args: v.strictTuple([v.nullable(v.number())]),
      run: ({ state }, id) => void (state.chosen = id),
    },
    /** The inspection to be done next: the board that is shown may be older. */
    next: {
      kind: 'query',
      args: v.strictTuple([]),
      async run({ source }): Promise<number | null> {
        const { rows } = await source.table('inspections').page({
          columns: ['id'],
          where: { op: 'eq', column: 'state', value: 'waiting' },
          sort: [{ column: 'position', descending: false }],
          size: 1,
        })
        const id = rows[0]?.values[0]
        return id === undefined ? null : Number(id)
      },
    },
    keep: {
      args: v.strictTuple([]),
      run: ({ state: { note, remindAt }, effects }) =>
        effects.dispatch('kept', { characters: note.length, remindAt }),
    },
  },
  // A poll reads nothing while the database is as it was.
  dependsOn: ({ source }) => source.dataVersion(),
  async load({ source, state: { priority } }) {
    const { rows } = await source.table('inspections').page({
      columns: ['id', 'airport', 'title', 'priority', 'state', 'due_on'],
      where: priority === 'all' ? all : { op: 'eq', column: 'priority', value: priority },
      sort: [{ column: 'position', descending: false }],
      size: MOST,
    })
    const data = rows.map(({ values: [id, airport, title, urgency, state, due] }) => ({
      id: Number(id),
      airport: String(airport),
      title: String(title),
      priority: String(urgency),
      state: String(state),
      due: due === null ? null : String(due),
    }))
    return { data }
  },
  view: ({ state, data }) => ({
    lanes: STATES.map((name) => ({ name, cards: data.filter((one) => one.state === name) })),
    chosen: data.find(({ id }) => id === state.chosen) ?? null,
  }),
})
