/** What else may hold the zoo: a strict table, one in partitions, and a view whose key is declared. */

import type { MetadataPlace } from '../metadata-places.ts'
import { refused, TEXTS, type Zoo, type ZooColumn } from './zoo.ts'

export type Housing = {
  readonly name: string
  /** The table or view in which the row with the key 1 is. */
  readonly table: string
  /** The table that really holds it. */
  readonly base: string
  readonly columns: Zoo['columns']
  /** Makes it, after the zoo itself, with one row that holds NULL everywhere. */
  create(place: MetadataPlace): Promise<void>
}

const listOf = (columns: Zoo['columns']): string =>
  Object.entries(columns)
    .map(([name, { type }]) => `${name} ${type}`)
    .join(', ')

const quoted = ({ edges, ...column }: ZooColumn): ZooColumn => ({
  ...column,
  edges: edges.map((edge) =>
    typeof edge === 'string' ? [edge, `'${edge.replaceAll("'", "''")}'`] : edge,
  ),
})

/** The view. */
export const SEEN = 'zoo_seen'

/** The types that a strict table of SQLite may have. */
export const STRICT: Zoo['columns'] = {
  v_integer: {
    type: 'integer',
    edges: [
      ...['-9223372036854775808', '9007199254740993', '9223372036854775807', '0', null],
      ...[refused('9223372036854775808'), refused('1.5'), refused('x')],
    ],
  },
  v_int: { type: 'int', edges: ['9223372036854775807', ['', null], refused('1.5')] },
  v_real: {
    type: 'real',
    edges: ['0.1', '1.0e+300', ['5', '5.0'], refused('0.1234567890123456789'), refused('x')],
  },
  v_text: quoted({ type: 'text', edges: TEXTS }),
  v_any: quoted({ type: 'any', edges: ['', ' a ', '5', '1.50', '007'] }),
  v_blob: { type: 'blob', edges: [] },
}

const strict: Housing = {
  ...{ name: 'a strict table', table: 'zoo_strict', base: 'zoo_strict', columns: STRICT },
  async create({ run }) {
    await run(`create table zoo_strict (id integer primary key, ${listOf(STRICT)}) strict`)
    await run('insert into zoo_strict (id) values (1)')
  },
}

/** `parts` follows the columns. */
const inPartitions = (
  columns: Zoo['columns'],
  parts: string,
  after: readonly string[],
): Housing => ({
  ...{ name: 'a table in partitions', table: 'zoo_parted', base: 'zoo_parted', columns },
  async create({ run }) {
    await run(`create table zoo_parted (id integer primary key, ${listOf(columns)}) ${parts}`)
    for (const statement of after) await run(statement)
    await run('insert into zoo_parted (id) values (1)')
  },
})

/** The view shows a table of its own. `triggers` write through it where the engine does not. */
const seen = (
  columns: Zoo['columns'],
  triggers: (names: readonly string[]) => readonly string[] = () => [],
): Housing => ({
  ...{ name: 'a view with a declared key', table: SEEN, base: 'zoo_base', columns },
  async create({ run }) {
    await run(`create table zoo_base (id integer primary key, ${listOf(columns)})`)
    await run('create view zoo_seen as select * from zoo_base')
    const written = Object.keys(columns).filter(
      (name) => !/generated/.test(columns[name]?.type ?? ''),
    )
    for (const statement of triggers(['id', ...written])) await run(statement)
    await run('insert into zoo_base (id) values (1)')
  },
})

const insteadOfUpdate = (names: readonly string[]): string[] => [
  `create trigger zoo_up instead of update on zoo_seen begin
    update zoo_base set ${names.map((name) => `${name} = new.${name}`).join(', ')}
      where id = old.id; end`,
]

const without = (columns: Zoo['columns'], names: readonly string[]): Zoo['columns'] =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)))

/** Nothing tells of a view which column of its table is computed: the database refuses what is typed there. */
const typedMade = ({ v_made, ...columns }: Zoo['columns']): Zoo['columns'] => ({
  ...columns,
  ...(v_made && { v_made: { type: v_made.type, edges: [refused('5')] } }),
})

export const housings = (
  engine: MetadataPlace['engine'],
  { columns }: Pick<Zoo, 'columns'>,
): readonly Housing[] =>
  ({
    // What a view does not write itself is left out: nothing says so of triggers.
    sqlite: [strict, seen(without(columns, ['v_made']), insteadOfUpdate)],
    postgres: [
      inPartitions(columns, 'partition by range (id)', [
        'create table zoo_low partition of zoo_parted for values from (0) to (1000)',
        'create table zoo_high partition of zoo_parted default',
      ]),
      seen(typedMade(columns)),
    ],
    // The server keeps no points in partitions.
    mysql: [
      inPartitions(
        without(columns, ['v_point']),
        'partition by range (id) (partition low values less than (1000), partition high values less than maxvalue)',
        [],
      ),
      seen(typedMade(columns)),
    ],
  })[engine]
