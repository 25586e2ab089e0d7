/** What each actor sees of the tables, kept for as long as the policy grants them the very same. */

import type { Actor } from '../server/actor.ts'
import type { OpenTable } from './catalog.ts'
import type { TableDefinition } from './definition/table-definition.ts'
import type { Access, Grant, Policy } from './source/access.ts'
import type { Table } from './source/schema.ts'

/** A table that an actor may read. */
export type Found = { readonly definition: TableDefinition; readonly access: Access }

/** What one actor sees, filled as they ask for it. */
export type Seen = {
  readonly actor: Actor
  /** Answers with the grants that this was made under. */
  readonly policy: Policy
  /** The same text for actors who were given the very same grants. */
  readonly grants: string
  readonly found: Map<string, Found | undefined>
  readonly opened: Map<string, OpenTable | undefined>
  listed?: readonly TableDefinition[]
}

export type GrantsCache = {
  of(actor: Actor): Seen
  /**
   * The same person for a few questions: the policy is asked about no more tables than these need, and
   * nothing is kept or forgotten for anybody.
   */
  inPassing(actor: Actor): Actor
}

/** People for whom it is kept for their next request: those who asked last. */
const PEOPLE_MAX = 20

/**
 * Each request has an actor object of its own, for which the policy is asked once about each table. If it
 * answers the same person with the same grants as before, what followed from them is found again.
 */
export function createGrantsCache(policy: Policy, tables: readonly Table[]): GrantsCache {
  const ofActors = new WeakMap<Actor, Seen>()
  /** By all that is known of a person; the one who asked last comes last. */
  const latest = new Map<string, { readonly given: readonly Grant[]; readonly seen: Seen }>()

  function seenBy(actor: Actor): Seen {
    const person = JSON.stringify(actor)
    const before = latest.get(person)
    // Of one moment, though a request may take a while.
    const given = tables.map((table) => policy.grant(actor, table))
    const isSame = before?.given.every((grant, at) => grant === given[at])
    const known = before && isSame ? before : { given, seen: newSeen(actor, byName(given)) }
    latest.delete(person)
    latest.set(person, known)
    const [oldest] = latest.keys()
    if (oldest !== undefined && latest.size > PEOPLE_MAX) latest.delete(oldest)
    return known.seen
  }

  const byName = (given: readonly Grant[]): Map<string, Grant> =>
    // A grant for each table.
    new Map(tables.map(({ name }, at) => [name, given[at]!]))

  /** Asks the policy about each table once, when that is first needed, but for those it was asked about. */
  function newSeen(actor: Actor, asked = new Map<string, Grant>()): Seen {
    const grantTo = (table: Table) => once(asked, table.name, () => policy.grant(actor, table))
    let grants: string | undefined
    return {
      actor,
      policy: { version: policy.version, grant: (_actor, table) => grantTo(table) },
      get grants() {
        return (grants ??= tables.map((table) => identityOf(grantTo(table))).join())
      },
      found: new Map(),
      opened: new Map(),
    }
  }

  return {
    of(actor) {
      const seen = ofActors.get(actor) ?? seenBy(actor)
      ofActors.set(actor, seen)
      return seen
    },
    inPassing(actor) {
      const copy = { ...actor }
      ofActors.set(copy, newSeen(copy))
      return copy
    },
  }
}

/** Numbers of grants, in the order in which they were first given. */
const identities = new WeakMap<Grant, number>()
let lastIdentity = 0

/** A number of the very object: grants that are made anew are never the same. */
function identityOf(grant: Grant): number {
  const known = identities.get(grant) ?? ++lastIdentity
  identities.set(grant, known)
  return known
}

/** What `make` returned for the table, made once. */
export function once<T>(tables: Map<string, T>, name: string, make: () => T): T {
  const known = tables.get(name)
  // Where the table is in the map, even `undefined` is what `make` returned.
  if (known !== undefined || tables.has(name)) return known as T
  const made = make()
  tables.set(name, made)
  return made
}
