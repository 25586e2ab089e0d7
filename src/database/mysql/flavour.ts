/** All differences between MariaDB and MySQL. */

import { isUtf8 } from 'node:buffer'
import { sql, bind, type Sql } from '../query/sql.ts'
import { withoutEscapes } from './escapes.ts'
import { tooOld } from './failure.ts'

export type Flavour = {
  readonly isMariaDb: boolean
  /** Engine and version, such as `MariaDB 10.11.6`. */
  readonly engine: string
  /** The assignment that limits the time of a connection's statements. */
  timeLimit(ms: number): Sql
  /** The keyword for query plans, and the columns of a plan with table, rows and percentage. */
  readonly explain: { readonly word: Sql; readonly places: Readonly<Record<PlanPart, number>> }
  /** Selects a database's check constraints as (table, name, clause). */
  checks(database: string): Sql
  /** Columns of `information_schema.statistics`: the indexed expression, and whether the index is used. */
  readonly indexExpression: Sql
  readonly indexIsUsed: Sql
  /** The column with a spatial column's coordinate system. */
  readonly spatialReference: Sql
  /** A column's default as one would write it in SQL, or `null` if there is none. */
  defaultOf(text: string | null, extra: string): string | null
  /** A check constraint's clause as one would write it in SQL. */
  checkClause(text: string): string
}

export type PlanPart = 'table' | 'rows' | 'filtered'

/** Parses `version()`. Throws `DATABASE_UNAVAILABLE` for a server that is too old. */
export function flavourOf(version: string): Flavour {
  const isMariaDb = /mariadb/i.test(version)
  const [number = version] = /\d+(?:\.\d+)*/.exec(version.replace(/^5\.5\.5-/, '')) ?? []
  const release = number.split('.').map(Number)
  const engine = `${isMariaDb ? 'MariaDB' : 'MySQL'} ${number}`
  if (!isAtLeast(release, isMariaDb ? [10, 5] : FIRST_WITH_CHECKS)) throw tooOld(engine)
  return isMariaDb ? mariaDb(engine, isAtLeast(release, [10, 6])) : mySql(engine)
}

/** MySQL's first release with check constraints. */
const FIRST_WITH_CHECKS = [8, 0, 16]

const isAtLeast = (
  [major = 0, minor = 0, patch = 0]: readonly number[],
  [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0]: readonly number[],
): boolean => (major - wantedMajor || minor - wantedMinor || patch - wantedPatch) >= 0

const mariaDb = (engine: string, hasIgnoredIndexes: boolean): Flavour => ({
  isMariaDb: true,
  engine,
  // Seconds, with a fraction; 0 would mean no limit.
  timeLimit: (ms) => sql`max_statement_time = ${bind(Math.max(ms, 1) / 1000)}`,
  explain: { word: sql`explain extended`, places: { table: 2, rows: 8, filtered: 9 } },
  checks: (database) =>
    sql`select table_name, constraint_name, check_clause from information_schema.check_constraints
      where constraint_schema = ${bind(database)} order by table_name, constraint_name`,
  indexExpression: sql`null`,
  indexIsUsed: hasIgnoredIndexes ? sql`ignored = 'NO'` : sql`1`,
  spatialReference: sql`null`,
  defaultOf: (text) => (text === 'NULL' ? null : text),
  checkClause: (text) => text,
})

const mySql = (engine: string): Flavour => ({
  isMariaDb: false,
  engine,
  timeLimit: (ms) => sql`max_execution_time = ${bind(Math.max(Math.ceil(ms), 1))}`,
  explain: {
    word: sql`explain format = traditional`,
    places: { table: 2, rows: 9, filtered: 10 },
  },
  checks: (database) =>
    sql`select t.table_name, c.constraint_name, c.check_clause
      from information_schema.check_constraints c join information_schema.table_constraints t
        on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name
      where c.constraint_schema = ${bind(database)} and t.constraint_type = 'CHECK'
        and t.enforced = 'YES' order by t.table_name, c.constraint_name`,
  indexExpression: sql`expression`,
  indexIsUsed: sql`is_visible = 'YES'`,
  spatialReference: sql`srs_id`,
  // Literals come without quotes; expressions are marked in `extra`.
  defaultOf: (text, extra) => {
    if (text === null) return null
    return /DEFAULT_GENERATED/.test(extra) ? unescaped(text) : quoted(text)
  },
  // The server adds parentheses around expressions with operators.
  checkClause: (text) => unescaped(text).replace(/^\(([^]*)\)$/, '$1'),
})

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const NAME_OR_TEXT = /(`(?:[^`]|``)*`)|(?:_[a-z]\w*)?'((?:[^'\\]|\\[^])*)'/gi

/** The server escapes an expression as a whole, after writing its texts as `_utf8mb4'it\'s'`. */
const unescaped = (text: string): string =>
  withoutEscapes(asUtf8(text)).replace(
    NAME_OR_TEXT,
    (_, name?: string, inner = '') => name ?? quoted(withoutEscapes(inner)),
  )

/** The server returns each byte of an expression as a character. */
function asUtf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return bytes.toString('latin1') === text && isUtf8(bytes) ? bytes.toString() : text
}
