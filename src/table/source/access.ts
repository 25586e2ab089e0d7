/** What one actor may do with one table: the only way to its rows. */

import type { Actor } from '../../server/actor.ts'
import type { Predicate } from './predicate.ts'
import type { Table } from './schema.ts'
import { isSecretValue } from './secret-values.ts'
import type { Value } from './value.ts'

export type RowAction = 'read' | 'create' | 'update' | 'delete'

/** What is done to a row that there is. */
export type ChangeAction = 'update' | 'delete'

/** What a policy decides for an actor and a table. */
export type Grant = {
  readonly actions: readonly RowAction[]
  /** Which rows may be seen and touched; a row cannot be changed into another one. */
  readonly rows: Predicate
  /**
   * Which of `rows` may be updated and deleted, by what they hold before. An update may take a row out of these, but
   * not out of `rows`. Default: all.
   */
  readonly changes?: { readonly [action in ChangeAction]?: Predicate }
  readonly readable: readonly string[]
  /** Columns of rows that may be changed. */
  readonly writable: readonly string[]
  /** Columns that a new row may be given. Default: `writable`. */
  readonly creatable?: readonly string[]
  /** Columns that are shown in some rows only, and that no condition, order or write may name. */
  readonly masked?: readonly Mask[]
  /** Columns of which a value that looks like a password's hash, a token or a key is masked. */
  readonly judged?: readonly string[]
  /** Columns of the key that cannot be read, and that still find rows: addresses hold them sealed. */
  readonly sealed?: readonly string[]
}

/** A column whose values are shown only where the name in the same row is no secret. */
export type Mask = {
  readonly column: string
  /** The column that holds the name. */
  readonly by: string
}

/** Whether no row of the table is hidden from whom this is granted. */
export const grantsAllRows = ({ rows }: Grant): boolean =>
  rows.op === 'and' && rows.all.length === 0

/** Decides what an actor may do. There is one for the whole admin. */
export interface Policy {
  /** Version of the rules; a grant under another version is not trusted. */
  readonly version: string
  /**
   * What this actor may do with this table, asked once for each request. An empty list of actions hides the
   * table. Return the very same object for the same answer: what follows from it is made only once then.
   */
  grant(actor: Actor, table: Table): Grant
  /**
   * Tables from which `grant` takes what it decides, besides those that its conditions name; a write of one is told to
   * every list. `[]`: none. Default: nobody knows, so that every write is.
   */
  readonly reads?: readonly string[]
  /**
   * Whether the actor is told the name of another person who is on the same table or record; else that
   * one is “Somebody”. Default: yes.
   */
  tellsName?(actor: Actor, other: Person): boolean
}

/** Another person, as a policy is asked about them. */
export type Person = Pick<Actor, 'id' | 'name' | 'role'>

type GrantedColumns = {
  readonly readable: ReadonlySet<string>
  readonly writable: Readonly<Record<'create' | 'update', ReadonlySet<string>>>
  readonly masks: ReadonlyMap<string, Mask>
  readonly judged: ReadonlySet<string>
}

/** Most policies give the same grant each time, and every page asks for all tables. */
const columnsByGrant = new WeakMap<Grant, GrantedColumns>()

function columnsOf(grant: Grant): GrantedColumns {
  const known = columnsByGrant.get(grant)
  if (known) return known
  const readable = new Set(grant.readable)
  // Without the name, nobody could tell which values are secret.
  const masks = (grant.masked ?? []).filter(({ by }) => readable.has(by))
  const made = {
    readable,
    writable: {
      create: new Set(grant.creatable ?? grant.writable),
      update: new Set(grant.writable),
    },
    masks: new Map(masks.map((mask) => [mask.column, mask])),
    judged: new Set(grant.judged),
  }
  columnsByGrant.set(grant, made)
  return made
}

/** Options of `Access.grant`. */
export type GrantOptions = {
  /** Called with a sentence about each mistake in the policy. */
  readonly warn?: (sentence: string) => void
  /**
   * The same actor's access to another table; `undefined` if they may not see it. Default: no other
   * table is visible from this one.
   */
  readonly related?: (table: string) => Access | undefined
}

/**
 * A grant bound to its actor and table. Row sources take nothing else, and only `Access.grant`
 * makes one, so every read and write has an actor.
 */
export class Access {
  readonly actor: Actor
  readonly table: Table
  readonly grant: Grant
  readonly #columns: GrantedColumns
  readonly #resolve: GrantOptions['related']
  readonly #related = new Map<string, Access | undefined>()

  private constructor(actor: Actor, table: Table, grant: Grant, resolve: GrantOptions['related']) {
    this.actor = actor
    this.table = table
    this.grant = grant
    this.#columns = columnsOf(grant)
    this.#resolve = resolve
  }

  /**
   * Asks the policy; `undefined` if the actor may not see the table. A policy that hides a key column and
   * does not say that it is sealed hides the whole table, because keys appear in every list and address;
   * `warn` reports it.
   */
  static grant(
    policy: Policy,
    actor: Actor,
    table: Table,
    { warn, related }: GrantOptions = {},
  ): Access | undefined {
    const grant = policy.grant(actor, table)
    if (!grant.actions.includes('read')) return undefined
    const { readable, sealed = [] } = grant
    const hidden = table.key.find((one) => !readable.includes(one) && !sealed.includes(one))
    if (hidden === undefined) return new Access(actor, table, grant, related)
    warn?.(
      `The policy hides the key column [${hidden}] of [${table.name}], so the whole table is hidden. Make the column readable, or hide the table.`,
    )
    return undefined
  }

  /**
   * The same actor's access to a table that a predicate names; `undefined` if they may not see it,
   * or it does not exist. Asks the policy once for each table.
   */
  related(table: string): Access | undefined {
    if (this.#related.has(table)) return this.#related.get(table)
    const found = this.#resolve?.(table)
    if (found && found.actor !== this.actor)
      throw new TypeError(`The access to [${table}] is another actor's.`)
    this.#related.set(table, found)
    return found
  }

  /**
   * The same rows with every column, for `table/changes/` alone: it checks columns itself, writes what rules
   * and triggers add, and shows nothing that it reads this way.
   */
  ofAllColumns(): Access {
    const names = this.table.columns.map(({ name }) => name)
    const writable = this.table.columns.filter(({ generated }) => !generated)
    const { actions, rows, changes = {} } = this.grant
    const all = { readable: names, writable: writable.map(({ name }) => name) }
    const grant = { actions, rows, changes, ...all }
    return new Access(this.actor, this.table, grant, (table) => this.related(table))
  }

  /** The condition that the policy adds on rows to which this is done; `undefined` where it adds none. */
  conditionOf(action: ChangeAction): Predicate | undefined {
    return this.grant.changes?.[action]
  }

  /** The same access to only those rows to which this may be done, as they are now. */
  changeable(action: ChangeAction): Access {
    const condition = this.conditionOf(action)
    return condition === undefined ? this : this.#among(condition)
  }

  /** The same access to the others; `undefined` where there are none. */
  unchangeable(action: ChangeAction): Access | undefined {
    const condition = this.conditionOf(action)
    return condition && this.#among({ op: 'not', of: condition })
  }

  /** The same access, with nothing of this to be done to any row. */
  without(actions: readonly ChangeAction[]): Access {
    const left = this.grant.actions.filter((one) => !actions.some((action) => action === one))
    return new Access(this.actor, this.table, { ...this.grant, actions: left }, (table) =>
      this.related(table),
    )
  }

  /** The same access, from which only those rows of another table are seen that `other` shows. */
  seeing(other: Access): Access {
    const related = (table: string) => (table === other.table.name ? other : this.related(table))
    return new Access(this.actor, this.table, this.grant, related)
  }

  #among(rows: Predicate): Access {
    const grant: Grant = { ...this.grant, rows: { op: 'and', all: [this.grant.rows, rows] } }
    return new Access(this.actor, this.table, grant, (table) => this.related(table))
  }

  /**
   * Whether the policy hides no row; only then may the actor learn facts about all rows, such as
   * their number.
   */
  get seesAllRows(): boolean {
    return grantsAllRows(this.grant)
  }

  may(action: RowAction): boolean {
    return this.grant.actions.includes(action)
  }

  canRead(column: string): boolean {
    return this.#columns.readable.has(column)
  }

  /** How the column is masked, if its values are shown in some rows only. */
  maskOf(column: string): Mask | undefined {
    return this.#columns.masks.get(column)
  }

  /** Whether a value of the column is masked if it looks like a secret. */
  judges(column: string): boolean {
    return this.#columns.judged.has(column)
  }

  /** Whether this value of the column may be shown: no column that is read holds secrets for everybody. */
  showsValue(column: string, value: Value): boolean {
    return this.canRead(column) && !(this.judges(column) && isSecretValue(value))
  }

  /** Whether values of the column may be shown; only those that can be read may be asked about, too. */
  canShow(column: string): boolean {
    return this.canRead(column) || this.#columns.masks.has(column)
  }

  /** Whether nothing that leaves the server may contain the keys of rows. */
  get hasSealedKey(): boolean {
    return (this.grant.sealed ?? []).length > 0
  }

  /** Whether rows may be found by a value of the column that somebody knows already. */
  canFindBy(column: string): boolean {
    return this.canRead(column) || (this.grant.sealed ?? []).includes(column)
  }

  /** Whether the column may be written, in a row that there is or in a new one. */
  canWrite(column: string, action: 'create' | 'update' = 'update'): boolean {
    return this.#columns.writable[action].has(column)
  }
}
