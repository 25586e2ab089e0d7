/** Reads rows by statements whose binds are ready, on whatever thread the connection lives. */

import type { Connection } from './connection.ts'
import type { Cell } from './values.ts'

/** Statements to be read one after the other. */
export type Batch = {
  readonly statements: readonly { readonly text: string; readonly binds: readonly Cell[] }[]
  /** Rows wanted of all together; each statement's last bind is then what is left of them. */
  readonly limit: number | null
}

export function readRows(connection: Connection, { statements, limit }: Batch): Cell[][] {
  if (limit === null) return statements.flatMap(({ text, binds }) => connection.all(text, binds))
  let rows: Cell[][] = []
  for (const { text, binds } of statements) {
    if (rows.length >= limit) break
    const left = [...binds.slice(0, -1), limit - rows.length]
    const found = connection.all(text, left)
    rows = rows.length === 0 ? found : rows.concat(found)
  }
  return rows
}
