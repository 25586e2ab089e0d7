/** Databases as data, from which each engine's test creates real ones. */

import type { ForeignKey, ValueType } from '../../src/table/source/schema.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'

export type FixtureColumn = {
  readonly name: string
  readonly type: ValueType
  readonly nullable?: boolean
  readonly unique?: boolean
  /** The SQL type. Default: the widest of the kind. */
  readonly declared?: string
}

export type FixtureTable = {
  readonly name: string
  readonly columns: readonly FixtureColumn[]
  readonly key: readonly string[]
  readonly foreignKeys?: readonly ForeignKey[]
  readonly indexes?: readonly (readonly string[])[]
  readonly rows: Iterable<readonly Value[]>
}

/** A view of all rows of a table, with the same columns; kept where the engine can keep one. */
export type FixtureView = {
  readonly name: string
  readonly of: string
  readonly isMaterialized?: boolean
}

export type Fixture = {
  readonly tables: readonly FixtureTable[]
  /** Statements that come before the tables, for one engine. */
  readonly setUp?: string
  readonly views?: readonly FixtureView[]
}

const ACTIONS = {
  cascade: 'cascade',
  setNull: 'set null',
  setDefault: 'set default',
  restrict: 'no action',
  none: 'no action',
} as const

/** What becomes of referring rows, as all engines write it. */
export const fatesSql = ({ onDelete, onUpdate }: ForeignKey): string =>
  [
    onDelete ? `on delete ${ACTIONS[onDelete]}` : '',
    onUpdate ? `on update ${ACTIONS[onUpdate]}` : '',
  ].join(' ')

export type Opened = {
  readonly source: RowSource
  /** Opens the same database again, to see what it really holds. */
  reopen(): Promise<RowSource>
  /** Queries the database directly, without any policy. */
  query(text: string): Promise<unknown[][]>
  /** Closes all sources and deletes the database. */
  close(): Promise<void>
}

/** Creates a writable database and opens it. */
export type OpenFixture = (fixture: Fixture) => Promise<Opened>

export const people: FixtureTable = {
  name: 'people',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'text' },
    { name: 'secret', type: 'text', nullable: true },
    { name: 'team', type: 'integer' },
  ],
  key: ['id'],
  rows: [
    [1, 'Ada', 'red', 1],
    [2, 'Bob', 'green', 1],
    [3, 'Cleo', null, 2],
    [4, 'Dan', 'blue', 2],
  ],
}

export const orders: FixtureTable = {
  name: 'orders',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'person', type: 'integer', nullable: true },
    { name: 'code', type: 'text', unique: true },
    { name: 'total', type: 'float', nullable: true },
    { name: 'paid', type: 'boolean' },
  ],
  key: ['id'],
  foreignKeys: [{ columns: ['person'], table: 'people', references: ['id'] }],
  indexes: [['total'], ['person']],
  rows: [
    [10, 1, 'a-1', 5.5, true],
    [11, 2, 'a-2', null, false],
    [12, 3, 'b-1', 7, false],
    [13, null, 'b-2', 5.5, true],
    [14, 4, 'c_1', null, true],
    [15, 1, 'c%1', 0, false],
  ],
}

export const shop: Fixture = { tables: [people, orders] }
