import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeDataFile } from '../../../test/data-file.ts'
import { fullAccess } from '../../../test/contracts/actors.ts'
import type { Grant } from '../../table/source/access.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import { countSql } from '../query/count.ts'
import { pageShape, runsOf, runsSql } from '../query/page-sql.ts'
import { render, type Sql } from '../query/sql.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteFile } from './file.ts'

const TABLE = `create table notes (id integer primary key, team integer, kind text, at text, code text unique);
  create index notes_kind on notes (kind);
  create index notes_at on notes (at);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    insert into notes select i, 1 + i % 2, 'kind ' || (i % 300), i, i from n;
  create table teams (id integer primary key, name text, open integer);
  create index teams_name on teams (name);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
    insert into teams select i, 'team ' || i, i % 2 from n;`
const OF_TEAM = 'create index notes_team on notes (team);'

/** How SQLite, which knows that most conditions find fewer rows than the policy, finds the rows that an actor asks for, who may see those of team 1. */
function openNotes(indexes = OF_TEAM, rows: Predicate = { op: 'eq', column: 'team', value: 1 }) {
  const { path, remove } = makeDataFile(`${TABLE} ${indexes} analyze`)
  const database = new DatabaseSync(path)
  const own = { name: 'notes', isWritable: false, onReplaced: () => undefined }
  const file = new SqliteFile(path, own)
  onTestFinished(() => {
    file.close()
    database.close()
    remove()
  })
  const catalogue = file.describe()
  const context = { catalogue, dialect: sqliteDialect }
  const table = catalogue.schema.tables[0]!
  const planOf = (statement: Sql): string => {
    const { text, binds } = render(statement, sqliteDialect)
    const steps = database.prepare(`explain query plan ${text}`).all(...(binds as string[]))
    return steps.map(({ detail }) => String(detail)).join('; ')
  }
  const shapeOf = (where: Predicate, grant: Partial<Grant>) =>
    pageShape(catalogue, fullAccess(table, grant), {
      ...{ columns: ['id'], where, size: 25, place: { at: 'first' } },
      sort: [{ column: 'id', descending: false }],
    })
  return {
    page(where: Predicate, grant: Partial<Grant> = { rows }) {
      const shape = shapeOf(where, grant)
      const runs = runsOf(context, shape, { backwards: false })
      return planOf(runsSql(context, shape, runs, 26))
    },
    /** The page after a row whose team is called “m”. */
    placedBy(grant: Partial<Grant>) {
      const access = fullAccess(catalogue.schema.tables[1]!, grant)
      const by = { access, references: 'id', label: 'name' }
      const start = { backwards: false, anchor: { sort: ['m'], key: [1] } }
      const shape = pageShape(catalogue, fullAccess(table), {
        ...{ columns: ['id'], where: everything, size: 25, place: { at: 'after', ...start } },
        sort: [{ column: 'team', descending: false, by }],
      })
      return planOf(runsSql(context, shape, runsOf(context, shape, start), 26))
    },
    count: (where: Predicate) =>
      planOf(countSql(context, { access: fullAccess(table, { rows }), where })),
  }
}

const ofKind: Predicate = { op: 'eq', column: 'kind', value: 'x' }

describe('where an index serves the policy, what an actor asks for is looked up by no other', () => {
  const conditions: readonly Predicate[] = [
    ofKind,
    { op: 'in', column: 'kind', values: ['x', 'y'] },
    { op: 'gt', column: 'at', value: '2026' },
    { op: 'null', column: 'kind' },
    { op: 'starts', column: 'kind', text: 'x' },
    { op: 'or', all: [ofKind, { op: 'eq', column: 'at', value: '2026' }] },
    { op: 'and', all: [ofKind, { op: 'lt', column: 'at', value: '2026' }] },
  ]

  test.each(conditions.map((where) => [JSON.stringify(where), where] as const))(
    '%s',
    (_, where) => {
      const { page, count } = openNotes()
      for (const plan of [page(where), count(where)]) {
        expect(plan).toMatch(/SEARCH t0 USING (COVERING )?INDEX notes_team \(team=\?/)
        expect(plan).not.toMatch(/notes_kind|notes_at/)
      }
    },
  )
})

describe('an index of what an actor asks for is used', () => {
  test('by whoever sees all rows', () => {
    const { page } = openNotes()
    expect(page(ofKind, {})).toContain('notes_kind (kind=?)')
  })

  test('where no index serves the policy', () => {
    const { page } = openNotes('')
    expect(page(ofKind)).toContain('notes_kind (kind=?)')
    const anyTeam: Predicate = {
      op: 'or',
      all: [
        { op: 'eq', column: 'team', value: 1 },
        { op: 'eq', column: 'id', value: 1 },
      ],
    }
    expect(openNotes(OF_TEAM, anyTeam).page(ofKind)).toContain('notes_kind (kind=?)')
  })

  test('where it goes on with the column after the policy’s', () => {
    const { page } = openNotes(`${OF_TEAM} create index notes_both on notes (team, kind);`)
    expect(page(ofKind)).toContain('notes_both (team=? AND kind=?)')
  })

  test('where a value has one row at most', () => {
    const { page } = openNotes()
    expect(page({ op: 'eq', column: 'id', value: 7 })).toContain('INTEGER PRIMARY KEY (rowid=?)')
    expect(page({ op: 'eq', column: 'code', value: 'x' })).toContain('(code=?)')
  })
})

describe('an order by labels looks for its place by an index of them', () => {
  test('for whoever sees all of the rows that have them', () => {
    expect(openNotes().placedBy({})).toContain('teams_name (name=?)')
  })

  test('for nobody from whom some are hidden', () => {
    const plan = openNotes().placedBy({ rows: { op: 'eq', column: 'open', value: 1 } })
    expect(plan).not.toContain('teams_name')
    expect(plan).toContain('SEARCH l0 USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN')
  })
})
