/** Which rows the database itself deletes or changes along with others, by its foreign keys. */

import type { LinkAction } from '../../table/source/schema.ts'
import type { Operand } from '../dialect.ts'
import { aliased } from '../query/scope.ts'
import type { Catalogue, SourceTable } from '../tables.ts'
import { planned } from './columns.ts'
import type { ImagedTable } from './images.ts'

/** A foreign key through which something becomes of referring rows. */
export type Cascade = {
  /** The table that is referred to, and its columns. */
  readonly parent: string
  readonly references: readonly string[]
  readonly child: ImagedTable
  /** The referring columns, in the same order. */
  readonly columns: readonly Operand[]
  readonly onDelete: LinkAction
  readonly onUpdate: LinkAction
}

export function imagedTable(of: SourceTable): ImagedTable {
  const operandOf = (wanted: string): Operand[] => {
    const column = of.columns.get(wanted)
    return column ? [planned({ depth: 0 }, column)] : []
  }
  return {
    table: of.table.name,
    from: aliased(of.from, 0),
    key: of.table.key.flatMap(operandOf),
    columns: [...of.columns.keys()].flatMap(operandOf),
  }
}

/** Those that a write of these tables may set off, directly or through others. */
export function cascadesFrom(tables: Iterable<string>, catalogue: Catalogue): Cascade[] {
  const reached = new Set(tables)
  const all = [...catalogue.tables.values()].flatMap(cascadesTo)
  const found: Cascade[] = []
  // The set grows while it is walked.
  for (const table of reached)
    for (const cascade of all)
      if (cascade.parent === table) {
        found.push(cascade)
        reached.add(cascade.child.table)
      }
  return found
}

const cascadesTo = (of: SourceTable): Cascade[] =>
  of.table.foreignKeys.flatMap((link) => {
    const { table: parent, references, onDelete = 'restrict', onUpdate = 'restrict' } = link
    if (onDelete === 'restrict' && onUpdate === 'restrict') return []
    const child = imagedTable(of)
    const columns = link.columns.flatMap(
      (name) => child.columns.find(({ column }) => column.name === name) ?? [],
    )
    const isKnown = columns.length === references.length && of.table.kind === 'table'
    return isKnown ? [{ parent, references, child, columns, onDelete, onUpdate }] : []
  })
