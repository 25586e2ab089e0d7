/** Corrections that are not saved, as the administrator who makes them is shown them (`OpenList`). */

import * as v from 'valibot'
import type { TableView } from '../../../protocol/table-view.ts'
import type { Actor } from '../../../server/actor.ts'
import { AppError } from '../../../server/app-error.ts'
import { defineConcern } from '../concern.ts'
import { type Previewed, previewed } from '../../previewed.ts'

const PARTS_MAX = 2000

const preview = v.pipe(v.array(previewed), v.maxLength(PARTS_MAX))

/** As the panel of corrections sends it on: empty for nothing. */
const sent = v.pipe(
  v.string(),
  v.transform((text) => text || '[]'),
  v.parseJson(),
  preview,
)

/** What changes neither which rows there are nor their order. */
const IN_PLACE: readonly string[] = ['label', 'unit', 'shown']

type State = { readonly preview: readonly Previewed[] }

/** Whoever has lost the role since is shown what everybody is. */
export const previewOf = ({ preview }: State, { role }: Pick<Actor, 'role'>): State['preview'] =>
  role === 'admin' ? preview : []

export const previewing = defineConcern({
  name: 'preview',
  state: { preview },
  initial: { preview: [] },
  address: { names: [], owns: () => false, read: () => ({ preview: [] }), write: () => [] },
  opens: (state, { actor }) => previewOf(state, actor),
  presents(state, { access }) {
    if (state.preview.length === 0) return {}
    const parts = previewOf(state, access.actor)
    const isOf = (wanted: string) =>
      parts.some(({ column, part }) => column === null && part === wanted)
    return {
      ...(isOf('shown') && { standardColumns: true }),
      ...(isOf('sort') && { standardSort: true }),
    }
  },
  actions: {
    /**
     * Shows the list with these corrections, until it is asked for others; an empty text is none. Throws `FORBIDDEN`
     * but for administrators.
     */
    previewCorrections: {
      args: v.strictTuple([v.pipe(v.string(), v.maxLength(200_000))]),
      run({ actor, state, go }, text) {
        if (actor.role !== 'admin' && text !== '') throw new AppError('FORBIDDEN')
        const parsed = v.safeParse(sent, text)
        if (!parsed.success) throw new AppError('REQUEST_INVALID')
        const preview = parsed.output
        const keepsRows = [...state.preview, ...preview].every(({ part }) =>
          IN_PLACE.includes(part),
        )
        go({ preview }, { mode: 'replace', keepsRows })
      },
    },
  },
  // Asked only where there are some: this is done for each column.
  head: ({ name }, { state, opened }) =>
    state.preview.length > 0 &&
    previewOf(state, opened.access.actor).some(({ column }) => column === name)
      ? { previewed: true }
      : {},
  view({ state, opened }): Pick<TableView, 'preview'> {
    const parts = previewOf(state, opened.access.actor)
    return parts.length > 0 ? { preview: JSON.stringify(parts) } : {}
  },
})
