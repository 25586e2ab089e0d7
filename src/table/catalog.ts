/** The tables there are, their definitions, and what one actor may see of them. */

import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import { passingKeys, type Sealer } from '../server/keys.ts'
import { Access, type Policy } from './source/access.ts'
import { assertDefinitions } from './definition/check-definitions.ts'
import {
  type Correctable,
  type Corrected,
  type Correction,
  withCorrections,
} from './definition/corrections.ts'
import { withDeclaredKeys } from './definition/declared-keys.ts'
import { type Definitions, own } from './definition/define-table.ts'
import { type HiddenColumn, hiddenColumns } from './definition/hidden-reasons.ts'
import { asGiven, withoutHidden } from './definition/hidden-columns.ts'
import type { Kind } from './definition/kind.ts'
import { kindsWith } from './definition/kinds.ts'
import { createReaderDefinitions, type ReaderDefinitions } from './definition/reader-definitions.ts'
import { type RowKeys, rowKeys } from './row-keys.ts'
import { assertRoles } from './roles/check-roles.ts'
import type { Roles } from './roles/role.ts'
import { policyWithRoles } from './roles/role-policy.ts'
import type { RowLabel, RowSource, SortColumn } from './source/row-source.ts'
import type { Schema } from './source/schema.ts'
import { ordersByLabel } from './definition/label-order.ts'
import { ownLabels } from './references.ts'
import { foreignKeysOf, type TableDefinition } from './definition/table-definition.ts'
import { createGrantsCache, type Found, once, type Seen } from './grants-cache.ts'

/** A table opened for an actor; nothing else gives access to its rows. */
export type OpenTable = {
  readonly definition: TableDefinition
  readonly access: Access
  /** How its rows are addressed. */
  readonly keys: RowKeys
  /** Related tables the actor may see the labels of, by foreign key column. */
  readonly relations: ReadonlyMap<string, Relation>
  /** The other tables that the actor may see. */
  readonly others: OtherTables
  /** Whether the database takes changes now. */
  readonly takesChanges: boolean
  /**
   * For administrators alone: columns that the policy would let them read and the definition hides from
   * everybody. Absent where there are none.
   */
  readonly hiddenColumns?: readonly HiddenColumn[]
}

/** A related table as the actor may see it, with the column that names its rows. */
export type Relation = RowLabel & {
  /** A list that people sort by the column is sorted by the label, not by what is stored. */
  readonly isOrder?: true
}

/** The tables beside one, opened for the same actor. */
export type OtherTables = {
  /** `undefined` for a missing table and for one that the actor may not see. */
  find(table: string): OpenTable | undefined
  /** Those with a foreign key that points to the table. */
  referringTo(table: string): readonly OpenTable[]
}

export type Catalog = {
  /** Increases when the schema is read again; what was derived from another version is stale. */
  readonly version: number
  readonly schema: Schema
  /** The schema as the source has described it: another object once its tables have changed. */
  readonly described: Schema
  /** The policy, narrowed to roles of one’s own, without what the definitions hide. */
  readonly policy: Policy
  /** Roles of one’s own, by name. */
  readonly roles: Roles
  /**
   * How each table is shown to whoever may see all of it. What is inferred here may tell of any row,
   * so readers are shown what `open` gives them.
   */
  readonly definitions: ReadonlyMap<string, TableDefinition>
  /** What they are made from, for each reader. */
  readonly readers: ReaderDefinitions
  readonly corrected: CorrectedCatalog
  /** Throws `NOT_FOUND` both for a missing table and for one that the actor may not see. */
  open(actor: Actor, table: string): OpenTable
  /** Like `open`, but returns `undefined` instead of throwing. */
  find(actor: Actor, table: string): OpenTable | undefined
  /** The definitions of all tables that the actor may read. */
  readable(actor: Actor): readonly TableDefinition[]
  /**
   * The same text for actors to whom the policy gives the very same grants. A policy that makes a new
   * grant each time says nothing about who may see the same.
   */
  grantsOf(actor: Actor): string
  /**
   * The same person for a few questions that nobody waits for: the policy is asked about no more tables
   * than these need, and nothing is kept for the person's next request.
   */
  inPassing(actor: Actor): Actor
  /**
   * The same person for a refresh: the policy is asked about no more tables than their refreshes have needed,
   * and what follows is kept for their next one.
   */
  refreshing(actor: Actor): Actor
}

/** What administrators have corrected, and what was there before. */
export type CorrectedCatalog = Pick<Corrected, 'ignored'> &
  Corrections & {
    /** What a correction is judged by. */
    readonly correctable: Correctable
    /** The table as its reader would know it without corrections; `undefined` where there is none. */
    before(actor: Actor, table: string): TableDefinition | undefined
  }

/** Corrections of tables as they were stored together. */
export type Corrections = {
  /** Another text whenever they have changed. */
  readonly version: string
  readonly corrections: readonly Correction[]
}

export type CatalogOptions = {
  /** Options of tables by name; everything else is inferred. */
  readonly definitions?: Definitions | undefined
  /** What administrators have corrected of what is inferred. Default: nothing. */
  readonly corrections?: Corrections | undefined
  /** Kinds of columns beside the built-in ones. */
  readonly kinds?: readonly Kind[] | undefined
  /** Roles of one’s own, by name. Default: none. */
  readonly roles?: Roles | undefined
  /** The catalog from which this one differs by corrections of one table alone, so that the rest need not be made again. */
  readonly like?: { readonly catalog: Catalog; readonly table: string }
  /** Default: 1. */
  readonly version?: number
  /** Seals keys that are secrets. Default: with a key that ends with the process. */
  readonly sealer?: Sealer | undefined
  /** Called once for each mistake in the policy. Default: emits a process warning. */
  readonly warn?: (sentence: string) => void
}

/**
 * Reads the schema once and infers what is not declared. Throws `DefinitionError` with every
 * mistake in the declarations of tables, or of roles.
 */
export async function createCatalog(
  source: RowSource,
  allowed: Policy,
  {
    definitions: declared = {},
    corrections: stored = NO_CORRECTIONS,
    kinds = [],
    roles = {},
    like,
    version = 1,
    sealer = passingKeys(),
    warn = (sentence) => process.emitWarning(sentence),
  }: CatalogOptions = {},
): Promise<Catalog> {
  const described = await source.describe()
  assertDefinitions(declared, described, kinds)
  const schema = withDeclaredKeys(described, declared)
  const warned = new Set<string>()
  assertRoles(roles, { schema, definitions: declared })
  const correctable = { schema: described, declared, kinds }
  const { definitions: corrected, ignored } = withCorrections(stored.corrections, correctable)
  const definitionsOf = (given: Definitions) =>
    createReaderDefinitions(schema.tables, given, kindsWith(kinds))
  // Tables may have changed since that was made.
  const definitions =
    like?.catalog.described === described
      ? like.catalog.readers.with(like.table, own(corrected, like.table) ?? {})
      : definitionsOf(corrected)
  let uncorrected = corrected === declared ? definitions : undefined
  const policy = withoutHidden(
    policyWithRoles(allowed, roles, { tables: schema.tables, warn: warnOnce }),
    definitions.whole,
  )
  const hidden = hiddenColumns(schema, declared)

  function warnOnce(sentence: string): void {
    // What functions of the definition say may differ each time.
    if (warned.has(sentence) || warned.size >= WARNINGS_MAX) return
    warned.add(sentence)
    warn(sentence)
  }

  const cache = createGrantsCache(
    policy,
    [...definitions.whole.values()].map(({ table }) => table),
  )

  const accessTo = (seen: Seen, name: string): Found | undefined =>
    once(seen.found, name, () => grantedTo(seen, name))

  function grantedTo(seen: Seen, name: string): Found | undefined {
    const { policy, actor } = seen
    const definition = definitions.of(name, (table) => policy.grant(actor, table))
    const related = (other: string) => accessTo(seen, other)?.access
    const options = { warn: warnOnce, related }
    const access = definition && Access.grant(policy, actor, definition.table, options)
    return access && { definition: visibleDefinition(definition, access), access }
  }

  function relationsOf(seen: Seen, definition: TableDefinition): Map<string, Relation> {
    const { table, columns } = definition
    const relations = new Map<string, Relation>()
    for (const { name } of table.columns) {
      const link = columns.get(name)?.relation
      const other = link && accessTo(seen, link.table)
      const references = link?.references[0]
      if (!other || references === undefined) continue
      const { access } = other
      const [label = references, ...more] = ownLabels(other)
      if (access.canRead(label) && access.canRead(references))
        relations.set(name, {
          access,
          references,
          label,
          ...(more.length > 0 && { more }),
          ...(label !== references &&
            ordersByLabel(definition, name, other.definition, references) && { isOrder: true }),
        })
    }
    return relations
  }

  function open(seen: Seen, name: string): OpenTable | undefined {
    const found = accessTo(seen, name)
    if (!found) return undefined
    const hidden = hiddenFrom(seen, found.definition)
    return {
      ...found,
      keys: rowKeys(found.access.table, found.access.hasSealedKey ? sealer : undefined),
      relations: relationsOf(seen, found.definition),
      others: {
        find: (table) => find(seen, table),
        referringTo: (name) =>
          readable(seen)
            .filter((other) => foreignKeysOf(other).some(({ table }) => table === name))
            .flatMap(({ table }) => find(seen, table.name) ?? []),
      },
      get takesChanges() {
        return source.writing?.isAllowed() ?? true
      },
      ...(hidden.length > 0 && { hiddenColumns: hidden }),
    }
  }

  function hiddenFrom(
    { actor, policy }: Seen,
    { table }: TableDefinition,
  ): readonly HiddenColumn[] {
    const all = hidden.get(table.name)
    if (!all || actor.role !== 'admin') return []
    const { readable } = asGiven(policy.grant(actor, table))
    return all.filter((column) => readable.includes(column.name))
  }

  const find = (seen: Seen, name: string): OpenTable | undefined =>
    once(seen.opened, name, () => open(seen, name))

  const readable = (seen: Seen): readonly TableDefinition[] =>
    (seen.listed ??= [...definitions.whole.keys()].flatMap(
      (name) => accessTo(seen, name)?.definition ?? [],
    ))

  return {
    version,
    schema,
    described,
    policy,
    roles,
    definitions: definitions.whole,
    readers: definitions,
    corrected: {
      ...{ ...stored, ignored, correctable },
      before(actor, name) {
        uncorrected ??= definitionsOf(declared)
        return uncorrected.of(name, (table) => policy.grant(actor, table))
      },
    },
    find: (actor, name) => find(cache.of(actor), name),
    open(actor, name) {
      const table = find(cache.of(actor), name)
      if (!table) throw new AppError('NOT_FOUND')
      return table
    },
    readable: (actor) => readable(cache.of(actor)),
    grantsOf: (actor) => cache.of(actor).grants,
    inPassing: cache.inPassing,
    refreshing: cache.refreshing,
  }
}

const NO_CORRECTIONS: Corrections = { version: '', corrections: [] }

/** Most mistakes in a policy that are told. */
const WARNINGS_MAX = 100

/** Leaves out sorting by hidden columns, which would reveal their order. */
function visibleDefinition(definition: TableDefinition, access: Access): TableDefinition {
  const { defaultSort } = definition
  const isReadable = ({ column }: SortColumn) => access.canRead(column)
  if (defaultSort.every(isReadable)) return definition
  return { ...definition, defaultSort: defaultSort.filter(isReadable) }
}
