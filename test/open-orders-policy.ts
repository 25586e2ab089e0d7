/** A policy that shows all rows and lets only those be changed whose state is `open`. */

import type { Policy } from '../src/table/source/access.ts'
import { everything } from '../src/table/source/predicate.ts'

export const openOrdersPolicy: Policy = {
  version: '1',
  grant: (_actor, { columns }) => ({
    ...{ actions: ['read', 'update'], rows: everything, writable: ['state'] },
    readable: columns.map(({ name }) => name),
    changes: { update: { op: 'eq', column: 'state', value: 'open' } },
  }),
}
