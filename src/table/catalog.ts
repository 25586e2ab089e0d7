/** The tables there are, their definitions, and what one actor may see of them. */

import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import { Access, type Policy } from './access.ts'
import { inferTable } from './infer.ts'
import type { RowSource, SortColumn } from './row-source.ts'
import type { Schema } from './schema.ts'
import type { Relation } from './search.ts'
import type { TableDefinition } from './table-definition.ts'

/** A table opened for an actor: nothing of its rows is reached any other way. */
export type OpenTable = {
  readonly definition: TableDefinition
  readonly access: Access
  /** Related tables the actor may see the labels of, by foreign key column. */
  readonly relations: ReadonlyMap<string, Relation>
}

export type Catalog = {
  readonly schema: Schema
  readonly policy: Policy
  /** Throws `NOT_FOUND` for a table that is not there or that the actor may not see, alike. */
  open(actor: Actor, table: string): OpenTable
  /** The definitions of all tables that the actor may read. */
  readable(actor: Actor): TableDefinition[]
}

/**
 * Reads the schema once and infers what is not declared. `warn` is told once of each thing that the
 * policy's author should mend; by default the process says it.
 */
export async function createCatalog(
  source: RowSource,
  policy: Policy,
  warn: (sentence: string) => void = (sentence) => process.emitWarning(sentence),
): Promise<Catalog> {
  const schema = await source.describe()
  const definitions = new Map(
    schema.tables.map((table) => [table.name, inferTable(table, schema.tables)]),
  )
  const warned = new Set<string>()

  function warnOnce(sentence: string): void {
    if (warned.has(sentence)) return
    warned.add(sentence)
    warn(sentence)
  }

  function accessTo(
    actor: Actor,
    name: string,
  ): { definition: TableDefinition; access: Access } | undefined {
    const definition = definitions.get(name)
    const access = definition && Access.grant(policy, actor, definition.table, warnOnce)
    return access && { definition: asSeen(definition, access), access }
  }

  function relationsOf(actor: Actor, { table, columns }: TableDefinition): Map<string, Relation> {
    const relations = new Map<string, Relation>()
    for (const { name } of table.columns) {
      const link = columns.get(name)?.relation
      const other = link && accessTo(actor, link.table)
      const label = other?.definition.labelColumn
      const references = link?.references[0]
      if (!other || label === undefined || references === undefined) continue
      const { access } = other
      if (access.canRead(label) && access.canRead(references))
        relations.set(name, { access, references, label })
    }
    return relations
  }

  function open(actor: Actor, name: string): OpenTable {
    const found = accessTo(actor, name)
    if (!found) throw new AppError('NOT_FOUND')
    return { ...found, relations: relationsOf(actor, found.definition) }
  }

  // Each request has an actor object of its own, and opens the same table several times.
  const opened = new WeakMap<Actor, Map<string, OpenTable>>()

  return {
    schema,
    policy,
    open(actor, name) {
      const tables = opened.get(actor) ?? new Map<string, OpenTable>()
      opened.set(actor, tables)
      const table = tables.get(name) ?? open(actor, name)
      tables.set(name, table)
      return table
    },
    readable: (actor) =>
      [...definitions.keys()].flatMap((name) => accessTo(actor, name)?.definition ?? []),
  }
}

/** What is hidden neither orders the rows nor counts among them. */
function asSeen(definition: TableDefinition, access: Access): TableDefinition {
  const { table, defaultSort } = definition
  const isReadable = ({ column }: SortColumn) => access.canRead(column)
  if (access.seesAllRows && defaultSort.every(isReadable)) return definition
  return {
    ...definition,
    table: access.seesAllRows ? table : { ...table, estimate: null },
    defaultSort: defaultSort.filter(isReadable),
  }
}
