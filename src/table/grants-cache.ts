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
  /**
   * The same person for a refresh: the policy is asked about no more tables than their refreshes have needed,
   * and what follows is kept for their next one.
   */
  refreshing(actor: Actor): Actor
}

/** People for whom it is kept for their next request: those who asked last. */
const PEOPLE_MAX = 20

/**
 * Each request has an actor object of its own, for which the policy is asked once about each table. If it
 * answers the same person with the same grants as before, what followed from them is found again.
 */
export function createGrantsCache(policy: Policy, tables: readonly Table[]): GrantsCache {
  const ofActors = new WeakMap<Actor, Seen>()
  const latest = new LatestPeople()
  const latestRefreshes = new LatestPeople()

  /** Asks about all tables at once: they are of one moment, though a request may take a while. */
  function seenBy(actor: Actor): Seen {
    const given = asking(actor, tables)
    return latest.keep(actor, (before) =>
      before && isSame(before.given, given) ? before : newSeen(actor, given),
    ).seen
  }

  /** Asks about those that were asked about before; about others, once they are needed. */
  function seenByRefresh(actor: Actor): Seen {
    const kept = latestRefreshes.keep(actor, (before) => {
      const known = tables.filter(({ name }) => before?.given.has(name))
      const given = asking(actor, known)
      return before && isSame(before.given, given) ? before : newSeen(actor, given)
    })
    kept.compared.clear()
    return kept.seen
  }

  const asking = (actor: Actor, about: readonly Table[]): Given =>
    new Map(about.map((table) => [table.name, policy.grant(actor, table)]))

  /** Asks the policy about each table once, when that is first needed, but for those it was asked about. */
  function newSeen(actor: Actor, given: Given = new Map()): Kept {
    const compared: Given = new Map()
    const askedNow = (table: Table) => once(compared, table.name, () => policy.grant(actor, table))
    const grantTo = (table: Table) => once(given, table.name, () => askedNow(table))
    const seen: Seen = {
      actor,
      policy: { version: policy.version, grant: (_actor, table) => grantTo(table) },
      get grants() {
        const grantOf = (table: Table) => given.get(table.name) ?? askedNow(table)
        return tables.map((table) => identityOf(grantOf(table))).join()
      },
      found: new Map(),
      opened: new Map(),
    }
    return { given, compared, seen }
  }

  return {
    of(actor) {
      const seen = ofActors.get(actor) ?? seenBy(actor)
      ofActors.set(actor, seen)
      return seen
    },
    inPassing(actor) {
      const copy = { ...actor }
      ofActors.set(copy, newSeen(copy).seen)
      return copy
    },
    refreshing(actor) {
      const copy = { ...actor }
      ofActors.set(copy, seenByRefresh(copy))
      return copy
    },
  }
}

/** What the policy has answered, by table; grows as it is asked about others. */
type Given = Map<string, Grant>

type Kept = {
  readonly given: Given
  /** What was asked to compare grants: not needed by the next refresh, unless this one needs it later. */
  readonly compared: Given
  readonly seen: Seen
}

const isSame = (before: Given, given: Given): boolean =>
  before.size === given.size && [...before].every(([name, grant]) => grant === given.get(name))

/** What the people who asked last were given. */
class LatestPeople {
  /** By all that is known of a person; the one who asked last comes last. */
  readonly #kept = new Map<string, Kept>()

  keep(actor: Actor, of: (before: Kept | undefined) => Kept): Kept {
    const person = JSON.stringify(actor)
    const kept = of(this.#kept.get(person))
    this.#kept.delete(person)
    this.#kept.set(person, kept)
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size > PEOPLE_MAX) this.#kept.delete(oldest)
    return kept
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
