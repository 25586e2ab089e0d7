/** What is read of rows with large values. */

import { expect, test } from 'vitest'
import type { Value } from '../../table/source/value.ts'
import { openUnits } from '../../../test/sqlite-unit.ts'

const SIZE = 70_000
const NOTES = `create table notes (id integer primary key, title text, body text, seen integer);
  insert into notes values (1, 'one', printf('%.*c', ${SIZE}, 'x'), 0), (2, 'two', 'short', 0)`

const large = (read: readonly Value[]) =>
  read.filter((value) => typeof value === 'string' && value.length >= SIZE)

test('a large value that nobody sets is compared in the database, and read by nobody', () => {
  const write = openUnits(NOTES)
  const { isDone, read, images } = write([
    { update: [1], set: { title: 'first' } },
    { update: [2], set: { title: 'second' } },
  ])
  expect(isDone).toBe(true)
  expect(large(read)).toEqual([])
  expect(images).toEqual([
    { table: 'notes', key: [1], before: { title: 'one' }, after: { title: 'first' } },
    { table: 'notes', key: [2], before: { title: 'two' }, after: { title: 'second' } },
  ])
})

test('one that is set, or whose row is new or deleted, is kept whole', () => {
  const write = openUnits(NOTES)
  const body = 'x'.repeat(SIZE)
  const set = write([{ update: [1], set: { body: 'small' } }])
  expect(set.images).toMatchObject([{ before: { body }, after: { body: 'small' } }])
  const added = write([{ insert: { id: 3, body } }])
  expect(added.images).toMatchObject([{ before: null, after: { id: 3, body } }])
  const deleted = write([{ delete: [3] }])
  expect(deleted.images).toMatchObject([{ before: { id: 3, body }, after: null }])
})

test('one that only a later part of the unit sets or deletes is kept whole, too', () => {
  const write = openUnits(NOTES)
  const body = 'x'.repeat(SIZE)
  const { images } = write(
    [{ update: [1], set: { title: 'first' } }],
    [{ update: [1], set: { body: `${body}y` } }],
  )
  expect(images).toEqual([
    {
      ...{ table: 'notes', key: [1] },
      before: { title: 'one', body },
      after: { title: 'first', body: `${body}y` },
    },
  ])
  const gone = write([{ update: [1], set: { title: 'last' } }], [{ delete: [1] }])
  expect(gone.images).toEqual([
    {
      ...{ table: 'notes', key: [1], after: null },
      before: { id: 1, title: 'first', body: `${body}y`, seen: 0 },
    },
  ])
})

test('one that a trigger changes all the same is told to be lost', () => {
  const write = openUnits(`${NOTES}; create trigger seen after update of title on notes
    begin update notes set body = body || '!', seen = seen + 1 where id = new.id; end`)
  const { images } = write([{ update: [1], set: { title: 'first' } }])
  expect(images).toEqual([
    {
      ...{ table: 'notes', key: [1] },
      before: { title: 'one', body: { lost: SIZE }, seen: 0 },
      after: { title: 'first', body: { lost: SIZE + 1 }, seen: 1 },
    },
  ])
})
