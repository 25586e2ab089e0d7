/** The saved view at which a list is open: a name for it, since the other parameters say what is shown. */

import * as v from 'valibot'
import { VIEW_PARAM } from '../../../protocol/saved-views.ts'
import { badParameter, clip } from '../../address-error.ts'
import { defineConcern } from '../concern.ts'

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

export const savedView = defineConcern({
  name: 'savedView',
  /** Its id, which need not be known: whoever is sent an address may not have the view. */
  state: { view: v.nullable(id) },
  initial: { view: null },
  address: {
    names: [VIEW_PARAM],
    owns: (name) => name === VIEW_PARAM,
    read(query) {
      const view = query.get(VIEW_PARAM)
      if (view === null || v.is(id, view)) return { view }
      throw badParameter(({ address }) => address.unknown(clip(view), VIEW_PARAM))
    },
    write: ({ view }) => (view === null ? [] : [[VIEW_PARAM, view]]),
  },
  actions: {
    /** Says at which view the list is, once what it shows was saved as one. */
    setView: {
      args: v.strictTuple([v.nullable(id)]),
      run: ({ go }, view) => go({ view }, { mode: 'replace', keepsRows: true }),
    },
  },
  view: () => ({}),
})
