/** The type zoo: tables with a column of each type of an engine, and what people type into it. */

import type { MetadataPlace } from '../metadata-places.ts'

/**
 * What is typed, and what the database holds then: the very same, or as the type writes it, or what it held
 * before, with a reason at the field. `null` is NULL.
 */
export type Edge =
  | string
  | null
  | readonly [typed: string, stored: string | null]
  | { readonly refused: string | null }

export const refused = (typed: string | null): Edge => ({ refused: typed })

export const typedIn = (edge: Edge): string | null =>
  edge === null || typeof edge === 'string' ? edge : 'refused' in edge ? edge.refused : edge[0]

/** `undefined` if it must be refused. */
export const wantedOf = (edge: Edge): string | null | undefined =>
  edge === null || typeof edge === 'string' ? edge : 'refused' in edge ? undefined : edge[1]

export type ZooColumn = {
  readonly type: string
  readonly edges: readonly Edge[]
  /** How a test reads it as a text. Default: a cast. */
  readonly read?: (name: string) => string
  /** Whether the form shows it and does not ask it. */
  readonly isFixed?: true
}

export type Zoo = {
  readonly setUp: readonly string[]
  readonly columns: { readonly [name: string]: ZooColumn }
  readonly read: (name: string) => string
  /** A row with values that few would type, to be left alone. */
  readonly left: {
    readonly columns: { readonly [name: string]: ZooColumn }
    /** In SQL, in the same order. */
    readonly values: readonly string[]
  }
}

export const TABLE = 'zoo'
/** The table of the row that is left alone, which has a note as well. */
export const LEFT = 'zoo_left'
export const NOTE: ZooColumn = { type: 'varchar(9)', edges: [] }

/** Columns of which nothing is typed. */
export const leftColumns = (types: { readonly [name: string]: string }) =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]): [string, ZooColumn] => [name, { type, edges: [] }]),
  )

export async function createTable(
  { run }: MetadataPlace,
  table: string,
  columns: Zoo['columns'],
): Promise<void> {
  const declared = Object.entries({ ...(table === LEFT && { note: NOTE }), ...columns })
  const list = declared.map(([name, { type }]) => `${name} ${type}`)
  await run(`create table ${table} (id integer primary key, ${list.join(', ')})`)
}

/** Makes the table with one row, that holds NULL everywhere. */
export async function createZoo(place: MetadataPlace, { setUp, columns }: Zoo): Promise<void> {
  for (const statement of setUp) await place.run(statement)
  await createTable(place, TABLE, columns)
  await place.run(`insert into ${TABLE} (id) values (1)`)
}

/** All columns of the row, as the database writes them. */
export async function storedZoo(
  { run }: MetadataPlace,
  { columns, read }: Pick<Zoo, 'columns' | 'read'>,
  table = TABLE,
): Promise<ReadonlyMap<string, string | null>> {
  const names = Object.keys(columns)
  const list = names.map((name) => (columns[name]?.read ?? read)(name))
  const [row = []] = await run(`select ${list.join(', ')} from ${table} where id = 1`)
  return new Map(
    names.map((name, at) => {
      const value = row[at] ?? null
      return [
        name,
        value instanceof Uint8Array ? new TextDecoder().decode(value) : (value as string | null),
      ]
    }),
  )
}

/** Texts that are often trimmed, unified or taken for something else. */
export const TEXTS: readonly Edge[] = [
  ...['', ' ', ' a ', 'a\r\nb', 'a\nb\n', '\t', 'é', 'e\u0301', '😀', "it's", '\\', '%_'],
  ...['NULL', 'null', '0', '1.50', '\u00a0x\u00a0', '\ufeffx', 'x'.repeat(1000), null],
]
