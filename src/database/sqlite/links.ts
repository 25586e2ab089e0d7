/** A SQLite table's foreign keys and indexes. */

import * as v from 'valibot'
import type { ForeignKey, Index, LinkAction, Trigger } from '../../table/source/schema.ts'
import { bind, sql } from '../query/sql.ts'
import { groupsOf, read, rowsOf, type RowOf } from '../rows-of.ts'
import { tokenize } from './check-list.ts'
import { flag, keyColumns, readColumns } from './columns.ts'
import type { Connection } from './connection.ts'

const ACTIONS: Readonly<Record<string, LinkAction>> = {
  CASCADE: 'cascade',
  'SET NULL': 'setNull',
  'SET DEFAULT': 'setDefault',
}
const action = read(v.string(), (text) => ACTIONS[text] ?? 'restrict')

/** One column of a foreign key. */
const linkRows = rowsOf({
  id: v.number(),
  table: v.string(),
  from: v.string(),
  to: v.nullable(v.string()),
  onUpdate: action,
  onDelete: action,
})

/** `text` creates the table. Foreign keys to a missing table are left out. */
export function readForeignKeys(
  connection: Connection,
  { name: table, text }: { readonly name: string; readonly text: string },
  /** Returns a table's exact name. */
  findTable: (name: string) => string | undefined,
): ForeignKey[] {
  const found = connection.read(
    sql`select id, "table", "from", "to", on_update, on_delete from pragma_foreign_key_list(${bind(table)}, 'main')
      order by id, seq`,
  )
  const groups = groupsOf(linkRows(found), ({ id }) => id)
  const deferred = deferredLinks(text)
  return groups.flatMap(([, [link, ...others]], i) => {
    const parts = [link, ...others]
    const target = findTable(link.table)
    const references = target && referredColumns(connection, target, parts)
    if (!target || !references) return []
    return {
      ...{ columns: parts.map(({ from }) => from), table: target, references },
      ...{ onDelete: link.onDelete, onUpdate: link.onUpdate },
      // SQLite lists the last one first.
      ...(deferred[groups.length - 1 - i] && { isDeferrable: true as const }),
    }
  })
}

/** Of each foreign key of a `create table`, whether it is checked at the commit only; no pragma tells. */
function deferredLinks(createTable: string): boolean[] {
  const words = tokenize(createTable).map(({ kind, text }) => (kind === 'word' ? text : '.'))
  const [, ...links] = words.join(' ').split(/(?<!\S)references(?!\S)/)
  return links.map((link) => /(?<!not )deferrable initially deferred/.test(link))
}

const triggerRows = rowsOf({ name: v.string(), text: v.string() })

export function readTriggers(connection: Connection, table: string): Trigger[] {
  const found = connection.read(
    sql`select name, sql from main.sqlite_schema
      where type = 'trigger' and tbl_name = ${bind(table)} collate nocase order by name`,
  )
  return triggerRows(found).flatMap(({ name, text }) => {
    // The event comes before anything else that might be such a word.
    const event = tokenize(text).find(isEvent)?.text
    return EVENTS.filter((one) => one === event).map((one) => ({ name, events: [one] }))
  })
}

const EVENTS = ['insert', 'update', 'delete'] as const

const isEvent = ({ kind, text }: { readonly kind: string; readonly text: string }): boolean =>
  kind === 'word' && EVENTS.some((event) => event === text)

/** A foreign key that names no columns refers to the primary key. */
function referredColumns(
  connection: Connection,
  target: string,
  parts: readonly RowOf<typeof linkRows>[],
): string[] | undefined {
  const raw = readColumns(connection, target)
  const key = keyColumns(raw)
  const names = parts.map(({ to }, i) =>
    to === null ? key[i] : raw.find(({ name }) => name.toLowerCase() === to.toLowerCase())?.name,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}

const indexRows = rowsOf({ name: v.string(), unique: flag, partial: flag })
const indexColumnRows = rowsOf({ name: v.nullable(v.string()), descending: flag })

/** Leaves out indexes on expressions, which serve no column. */
export function readIndexes(connection: Connection, table: string): Index[] {
  const found = connection.read(
    sql`select name, "unique", partial from pragma_index_list(${bind(table)}, 'main')
      order by seq desc`,
  )
  return indexRows(found).flatMap((index) => {
    const columns = indexColumns(connection, index.name)
    return columns ? { ...index, columns } : []
  })
}

function indexColumns(connection: Connection, index: string): Index['columns'] | undefined {
  const found = connection.read(
    sql`select name, "desc" from pragma_index_xinfo(${bind(index)}, 'main')
      where key = 1 order by seqno`,
  )
  const columns = indexColumnRows(found)
  const named = columns.flatMap(({ name, descending }) =>
    name === null ? [] : [{ name, descending }],
  )
  return named.length < columns.length ? undefined : named
}

const collatedRows = rowsOf({ column: v.string(), collation: v.string() })

/**
 * The columns that are not compared by bytes. SQLite tells the collation only of columns in an index, as
 * all are to which a foreign key refers.
 */
export const readCollations = (connection: Connection, table: string): Map<string, string> =>
  new Map(
    collatedRows(
      connection.read(
        sql`select x.name, x.coll from pragma_index_list(${bind(table)}, 'main') i
          join pragma_index_xinfo(i.name, 'main') x
          where x.name is not null and upper(x.coll) <> 'BINARY' and i.origin <> 'c'`,
      ),
    ).map(({ column, collation }) => [column, collation]),
  )
