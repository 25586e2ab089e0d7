import { expect, onTestFinished, test } from 'vitest'
import { makeDataFile } from '../../../test/data-file.ts'
import { fullAccess } from '../../../test/contracts/actors.ts'
import { everything } from '../../table/source/predicate.ts'
import { SqliteFile } from '../sqlite/file.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { pageShape, runsOf, runsSql } from './page-sql.ts'
import { render } from './sql.ts'

test('where rows are sorted, names are read of those alone that are kept', () => {
  const { path, remove } = makeDataFile(
    `create table people (id integer primary key, name text);
     create table orders (id integer primary key, person_id integer, price real, day text);
     create index orders_day on orders (day);`,
  )
  const own = { name: 'shop', isWritable: false, onReplaced: () => undefined }
  const file = new SqliteFile(path, own)
  onTestFinished(() => {
    file.close()
    remove()
  })
  const catalogue = file.describe()
  const context = { catalogue, dialect: sqliteDialect }
  const accessTo = (name: string) =>
    fullAccess(catalogue.schema.tables.find((table) => table.name === name)!)
  const textOf = (column: string) => {
    const shape = pageShape(catalogue, accessTo('orders'), {
      ...{ columns: ['person_id'], where: everything, size: 25, place: { at: 'first' } },
      sort: [{ column, descending: false }],
      names: [{ column: 'person_id', access: accessTo('people'), references: 'id', label: 'name' }],
    })
    const runs = runsOf(context, shape, { backwards: false })
    return render(runsSql(context, shape, runs.slice(0, 1), 26), sqliteDialect).text
  }
  const kept = textOf('price').split('limit ?) select ')
  expect(kept).toHaveLength(2)
  expect(kept[0]).not.toContain('people')
  expect(kept[1]).toContain('from "people"')
  // An index finds the first rows, and the next ones are not looked at.
  for (const indexed of ['day', 'id']) expect(textOf(indexed)).not.toContain('with ')
})
