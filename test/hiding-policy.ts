/** A policy for tests that hides tables, columns and rows, and lets everything else be read. */

import type { Policy } from '../src/table/source/access.ts'
import { everything, type Predicate } from '../src/table/source/predicate.ts'

export type Hidden = {
  readonly tables?: readonly string[]
  readonly columns?: readonly string[]
  /** The rows of a table that stay visible. Default: all. */
  readonly rows?: { readonly [table: string]: Predicate }
}

export const policyHiding = ({ tables = [], columns = [], rows = {} }: Hidden): Policy => ({
  version: '1',
  grant: (_actor, table) => ({
    actions: tables.includes(table.name) ? [] : ['read'],
    rows: rows[table.name] ?? everything,
    readable: table.columns.map(({ name }) => name).filter((name) => !columns.includes(name)),
    writable: [],
  }),
})
