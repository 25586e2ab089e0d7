import { expectTypeOf, test } from 'vitest'
import type { RowChanges } from '../../src/table/actor-source.ts'

type Task = { id: number; title: string; done: boolean }

const changes = (one: RowChanges<Task>): RowChanges<Task> => one

test("a change names the row's columns, and values that are worked out name others of them", () => {
  changes({ rows: [{ update: [1], set: { id: { add: 1 }, title: { column: 'title' } } }] })
  changes({ sets: [{ in: [], where: { op: 'and', all: [] }, set: { title: { append: '!' } } }] })
  // @ts-expect-error: the table has no such column
  changes({ rows: [{ update: [1], set: { titel: 'x' } }] })
  // @ts-expect-error: nor one to copy
  changes({ rows: [{ update: [1], set: { title: { column: 'titel' } } }] })
  // @ts-expect-error: there is no such operation
  changes({ rows: [{ update: [1], set: { id: { subtract: 1 } } }] })
  // @ts-expect-error: a new row holds nothing yet
  changes({ rows: [{ insert: { id: { add: 1 } } }] })
  expectTypeOf(changes).returns.toEqualTypeOf<RowChanges<Task>>()
})
