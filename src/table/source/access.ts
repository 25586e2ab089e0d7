/** What one actor may do with one table: the only way to its rows. */

import type { Actor } from '../../server/actor.ts'
import type { Predicate } from './predicate.ts'
import type { Table } from './schema.ts'

export type RowAction = 'read' | 'create' | 'update' | 'delete'

/** What a policy decides for an actor and a table. */
export type Grant = {
  readonly actions: readonly RowAction[]
  /** Which rows may be seen and touched. */
  readonly rows: Predicate
  readonly readable: readonly string[]
  readonly writable: readonly string[]
}

/** Decides what an actor may do. There is one for the whole admin. */
export interface Policy {
  /** Version of the rules; what was granted under another one is not trusted. */
  readonly version: string
  /** What this actor may do with this table. No action at all hides the table. */
  grant(actor: Actor, table: Table): Grant
}

/** What `Access.grant` may be told besides whom it is for. */
export type GrantOptions = {
  /** Told where the policy's author should mend something. */
  readonly warn?: (sentence: string) => void
  /**
   * What the same actor may do with another table, by its name; `undefined` where they may not see
   * it. Left out, no other table can be seen from this one.
   */
  readonly related?: (table: string) => Access | undefined
}

/**
 * A grant bound to its actor and table. Row sources take nothing else, and only `Access.grant`
 * makes one, so no row is read or written without somebody in whose name it is done.
 */
export class Access {
  readonly actor: Actor
  readonly table: Table
  readonly grant: Grant
  readonly #readable: ReadonlySet<string>
  readonly #writable: ReadonlySet<string>
  readonly #resolve: GrantOptions['related']
  readonly #related = new Map<string, Access | undefined>()

  private constructor(actor: Actor, table: Table, grant: Grant, resolve: GrantOptions['related']) {
    this.actor = actor
    this.table = table
    this.grant = grant
    this.#readable = new Set(grant.readable)
    this.#writable = new Set(grant.writable)
    this.#resolve = resolve
  }

  /**
   * Asks the policy; `undefined` where the actor may not even see the table. A policy that hides a
   * key column hides the whole table, because keys stand in every list and address: `warn` is told.
   */
  static grant(
    policy: Policy,
    actor: Actor,
    table: Table,
    { warn, related }: GrantOptions = {},
  ): Access | undefined {
    const grant = policy.grant(actor, table)
    if (!grant.actions.includes('read')) return undefined
    const hidden = table.key.find((column) => !grant.readable.includes(column))
    if (hidden === undefined) return new Access(actor, table, grant, related)
    warn?.(
      `The policy hides the key column [${hidden}] of [${table.name}], so the whole table is hidden. Make the column readable, or hide the table.`,
    )
    return undefined
  }

  /**
   * The same actor's access to a table that a predicate names; `undefined` where they may not see
   * it, or there is no such table. The policy is asked once.
   */
  related(table: string): Access | undefined {
    if (this.#related.has(table)) return this.#related.get(table)
    const found = this.#resolve?.(table)
    if (found && found.actor !== this.actor)
      throw new TypeError(`The access to [${table}] is another actor's.`)
    this.#related.set(table, found)
    return found
  }

  /** Whether no row of the table is hidden: only then may what is known of all rows be told. */
  get seesAllRows(): boolean {
    const { rows } = this.grant
    return rows.op === 'and' && rows.all.length === 0
  }

  may(action: RowAction): boolean {
    return this.grant.actions.includes(action)
  }

  canRead(column: string): boolean {
    return this.#readable.has(column)
  }

  canWrite(column: string): boolean {
    return this.#writable.has(column)
  }
}
