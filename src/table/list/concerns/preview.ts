/** Corrections that are not saved, as the administrator who makes them is shown them (`OpenList`). */

import * as v from 'valibot'
import { AppError } from '../../../server/app-error.ts'
import { defineConcern } from '../concern.ts'
import { previewed } from '../../previewed.ts'

const PARTS_MAX = 2000

const preview = v.pipe(v.array(previewed), v.maxLength(PARTS_MAX))

/** As the panel of corrections sends it on: empty for nothing. */
const sent = v.pipe(
  v.string(),
  v.transform((text) => text || '[]'),
  v.parseJson(),
  preview,
)

/** What changes neither the rows of a page nor their order. */
const IN_PLACE: readonly string[] = ['label', 'unit', 'values', 'shown', 'currency', 'minorUnit']

export const previewing = defineConcern({
  name: 'preview',
  state: { preview },
  initial: { preview: [] },
  address: { names: [], owns: () => false, read: () => ({ preview: [] }), write: () => [] },
  presents({ preview }) {
    const isOf = (wanted: string) =>
      preview.some(({ column, part }) => column === null && part === wanted)
    return {
      ...(isOf('shown') && { standardColumns: true }),
      ...(isOf('sort') && { standardSort: true }),
    }
  },
  actions: {
    /** Shows the list with these corrections, until it is asked for others. Throws `FORBIDDEN` but for administrators. */
    previewCorrections: {
      args: v.strictTuple([v.pipe(v.string(), v.maxLength(200_000))]),
      run({ actor, state, go }, text) {
        if (actor.role !== 'admin') throw new AppError('FORBIDDEN')
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
  head: ({ name }, { state }) =>
    state.preview.some(({ column }) => column === name) ? { previewed: true } : {},
  view: () => ({}),
})
