/** Access to whole tables, for what is found out about rows and shown to nobody. */

import type { Actor } from '../../server/actor.ts'
import { Access, type Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { Table } from '../source/schema.ts'

const SYSTEM: Actor = { id: 'tablewire', name: 'Tablewire', email: '', role: 'admin' }
const WHOLE: Policy = {
  version: 'whole',
  grant: (_actor, { columns }) => ({
    ...{ actions: ['read'], rows: everything, writable: [] },
    readable: columns.map(({ name }) => name),
  }),
}

/** `undefined` for a table that is not there. */
export function wholeAccess(tables: readonly Table[], name: string): Access | undefined {
  const table = tables.find((one) => one.name === name)
  return (
    table && Access.grant(WHOLE, SYSTEM, table, { related: (other) => wholeAccess(tables, other) })
  )
}
