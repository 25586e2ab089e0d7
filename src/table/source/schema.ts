/** The schema of a database, as an introspector reports it: tables, columns and keys. */

import type { Value } from './value.ts'

/** The type of a column, independent of the engine's name for it. */
export type ValueType =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'json'
  | 'binary'

/** Types whose values may be long. */
export const LONG_TYPES: ReadonlySet<ValueType> = new Set(['text', 'json', 'binary'])

/** A text of a type that fills texts up with blanks. */
export const withoutPadding = (text: string): string => text.replace(/ +$/, '')

export type Sampled = { readonly rows: number; readonly blanks: number }

/** Counts the values of a column in the rows that were looked at. */
export const countSampled = (values: readonly Value[]): Sampled => ({
  rows: values.length,
  blanks: values.filter((value) => value === null || value === '').length,
})

export type Column = {
  readonly name: string
  /** The engine's own type name, as declared. */
  readonly declared: string
  readonly type: ValueType
  readonly nullable: boolean
  /** Written by the database itself. */
  readonly generated: boolean
  readonly hasDefault: boolean
  /** The values that an enum or a check constraint allows, where it lists them. */
  readonly allowed?: readonly string[]
  /** Sorted in the order of `allowed`, as an enum is, not alphabetically. */
  readonly isListed?: boolean
  /** The column's comment in the database. */
  readonly comment?: string
  /** The default as the engine writes it. */
  readonly default?: string
  /** Numbered by the database itself. */
  readonly identity?: boolean
  /** Its texts are filled up with blanks, which are no part of what was written. */
  readonly isPadded?: boolean
  /** Characters, all digits, and digits after the point, if the type limits them. */
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number
  /** Holds single-precision numbers, of about 7 digits. */
  readonly isSingle?: true
  /** Digits after the point that the type names, where the engine holds any number all the same. */
  readonly namedScale?: number
  /** A point in time, with a time zone: its text ends with the offset from UTC. */
  readonly zoned?: boolean
  /** Its type has no order, so that no list is sorted by it. */
  readonly isUnordered?: boolean
  /** Holds several values of its type; their text is the engine's own. */
  readonly array?: boolean
  /** The type by declaration and name alone, where rows have told a better one. */
  readonly typeByDeclaration?: ValueType
  /** At most 20 of its values, texts cut at 200 characters. */
  readonly sample?: readonly Value[]
  /** How many rows were looked at for the sample, and how many of them hold NULL or an empty text. */
  readonly sampled?: Sampled
  /** Number of different values, by the planner's estimate or in a sample. */
  readonly distinct?: number
}

/**
 * What becomes of referring rows; `restrict` also where it is refused at the end of the statement or of the
 * transaction, `none` where the database knows nothing of the reference.
 */
export type LinkAction = 'cascade' | 'setNull' | 'setDefault' | 'restrict' | 'none'

export type ForeignKey = {
  readonly columns: readonly string[]
  readonly table: string
  /** The referred columns, in the same order. */
  readonly references: readonly string[]
  /** When the referred row is deleted. Absent: it is not known, or it is refused. */
  readonly onDelete?: LinkAction
  /** When the referred columns of the row change. Absent: it is not known, or it is refused. */
  readonly onUpdate?: LinkAction
  /** Whether it may be checked as late as the commit. */
  readonly isDeferrable?: true
}

export type Index = {
  readonly name: string
  readonly columns: readonly { name: string; descending: boolean }[]
  readonly unique: boolean
  /** Holds only some of the rows. */
  readonly partial: boolean
}

/** What the database itself does when rows of a table are written. */
export type Trigger = {
  readonly name: string
  readonly events: readonly ('insert' | 'update' | 'delete')[]
}

/** What is done to rows of a table. */
export type RowWrite = 'create' | 'update' | 'delete'

export type Table = {
  /** Name as the row source expects it: `schema.table` outside the default schema. */
  readonly name: string
  readonly kind: 'table' | 'view' | 'materialized view'
  /** The schema it is in, where that is not the default one. */
  readonly schema?: string
  readonly comment?: string
  readonly columns: readonly Column[]
  /** Columns that identify a row, in order; empty if none do, which makes the table read-only. */
  readonly key: readonly string[]
  /** The key is the configuration's: no rule of the database keeps two rows from having the same one. */
  readonly isKeyDeclared?: true
  /** Of a view: what its database writes through it, as far as the database tells. */
  readonly takes?: readonly RowWrite[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly indexes: readonly Index[]
  /** Unique sets of columns, besides the key. */
  readonly uniques?: readonly (readonly string[])[]
  /** Check constraints, as the engine writes them. */
  readonly checks?: readonly string[]
  /** Its triggers, as far as the database user may know of them; those of Tablewire are left out. */
  readonly triggers?: readonly Trigger[]
  /**
   * The database may read its rows from other tables, or write some along with them, without a trigger:
   * inheritance, partitions, rules, another engine.
   */
  readonly sharesRows?: true
  /** Names of its partitions; they are not listed as tables of their own. */
  readonly partitions?: readonly string[]
  /** Why the database cannot tell what the table holds, in its own words; then it has no columns. */
  readonly refused?: string
  /** Number of rows by the database's statistics, `null` if they do not have it; never a count. */
  readonly estimate: number | null
}

/** Columns of which no two rows hold the same values together, in the whole table or in some of its rows. */
export type UniqueSet = { readonly columns: readonly string[]; readonly isPartial: boolean }

/** The key is one of them. */
export const uniqueSets = ({ key, uniques = [], indexes }: Table): UniqueSet[] => [
  ...[...(key.length > 0 ? [key] : []), ...uniques].map((columns) => ({
    columns,
    isPartial: false,
  })),
  ...indexes
    .filter(({ unique }) => unique)
    .map(({ columns, partial }) => ({
      columns: columns.map(({ name }) => name),
      isPartial: partial,
    })),
]

/** Whether the key or a unique index keeps the values of the column apart, in all rows. */
export const isUniqueColumn = (name: string, table: Table): boolean =>
  uniqueSets(table).some(
    ({ columns, isPartial }) => !isPartial && columns.length === 1 && columns[0] === name,
  )

/** Whether its rows are its own: no write of another table changes what is read from it, but by a foreign key. */
export const holdsOwnRows = ({ kind, sharesRows }: Table): boolean =>
  kind === 'table' && !sharesRows

const ROW_WRITES: readonly RowWrite[] = ['create', 'update', 'delete']

/** What its database can be asked to do to its rows: nothing where no key tells them apart. */
export const writesTaken = ({ kind, key, takes = [] }: Table): readonly RowWrite[] =>
  key.length === 0 ? [] : kind === 'table' ? ROW_WRITES : takes

export type Schema = {
  /** What the database is called: its file's name, or its own. */
  readonly name: string
  /** Engine and version, such as `SQLite 3.53.4`. */
  readonly engine: string
  readonly tables: readonly Table[]
}
