/** What somebody wants to change, and what became of it. */

import type { Actor } from '../../server/actor.ts'
import type { Door, EntryStep } from '../source/ledger-entry.ts'
import type { KeyValues } from '../source/value.ts'
import type { Changes, RankResult, Recorded, Values } from '../source/write-unit.ts'

/** Changes to rows of one table. In `keyOf`, `part` is the place of an earlier table of the change. */
export type TableChange = Changes & { readonly table: string }

/** Changes that are written together, or not at all, and kept as one entry of the history. */
export type Change = {
  readonly door: Door
  readonly tables: readonly TableChange[]
  /** The step of a job that it is, as `JobRun.write` gives it. */
  readonly step?: EntryStep
}

/** Where in a change a problem is: the place of the table, and of the row or set in it. */
export type ProblemPlace = {
  readonly table: number
  readonly of: 'rows' | 'sets' | 'ranks'
  readonly at: number
}

/**
 * Why nothing was written. `rule` is one of the table's own rules, and `check` one of the database's;
 * `conflict`: the row no longer holds what was expected of it.
 */
export type ProblemKind =
  | 'required'
  | 'tooLong'
  | 'outOfRange'
  | 'tooPrecise'
  | 'notAllowed'
  | 'type'
  | 'unique'
  | 'check'
  | 'reference'
  | 'trigger'
  /** A declared key would not tell one row from all others. */
  | 'ambiguous'
  /** The view would no longer show the row. */
  | 'leaving'
  /** The database does not write this through the view. */
  | 'view'
  | 'rule'
  | 'conflict'
  | 'missing'
  | 'forbidden'
  | 'other'

export type ChangeProblem = {
  readonly place: ProblemPlace
  readonly kind: ProblemKind
  /** The columns it is about; empty if it is about the row. Only columns that the actor may read. */
  readonly columns: readonly string[]
  /** The sentence of the table's own rule, or of a trigger, shown as it is. */
  readonly sentence?: string
  /** What a check of the database asks for, as it is written there. */
  readonly condition?: string
  /** The most characters or digits, where that is what the value exceeds; of `tooPrecise`, after the point. */
  readonly limit?: number
  /** In a conflict: what the row holds now, as far as the actor may read it. */
  readonly current?: Values
}

/** Whether somebody else has changed the row meanwhile. */
export const isOfOthers = ({ kind }: ChangeProblem): boolean =>
  kind === 'missing' || kind === 'conflict'

/** What became of a change. */
export type ChangeOutcome =
  | {
      readonly status: 'done'
      /** Id of its entry in the history; `null` where none is kept, or where everything is as it was. */
      readonly entry: string | null
      /** The keys of the rows of `TableChange.rows`, by table and row. */
      readonly keys: readonly (readonly KeyValues[])[]
      /** How many rows were written. */
      readonly written: number
      /** What the entry lacks, so that it cannot be taken back whole; absent if it is complete. */
      readonly lacks?: Recorded['lacks']
    }
  | {
      readonly status: 'refused'
      readonly problems: readonly ChangeProblem[]
      /** The outcome of putting rows in order, where that was refused. */
      readonly ranks?: RankResult
    }

/** One row's change, as the table's own rules are asked about it. */
export type RowAsked<Row = { readonly [column: string]: unknown }> = {
  readonly actor: Actor
  readonly door: Door
  readonly table: string
  readonly action: 'create' | 'update' | 'delete'
  /** The row as it is; `null` for a new one. */
  readonly before: Readonly<Row> | null
  /** The row as it will be, as far as is known before it is written; `null` for one that is deleted. */
  readonly after: Readonly<Partial<Row>> | null
}
