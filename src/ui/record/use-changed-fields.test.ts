/** Which fields are told to have changed while somebody looks at a row. */

import { expect, test } from 'vitest'
import type { FieldValue } from '../../protocol/record-view.ts'
import { changesSince } from './use-changed-fields.ts'

const NONE = { labels: new Map(), round: 0 }
const held: FieldValue = { is: 'text', text: 'held' }

const row = (state: FieldValue, key = '1') => ({
  table: 'jobs',
  key,
  sections: [
    { title: 'General', fields: [{ name: 'title', label: 'Title', value: held }] },
    { title: 'Row', fields: [{ name: 'state', label: 'State', value: state }] },
  ],
})

test('a field with another value has changed, and counts once more each time', () => {
  const [open, done]: FieldValue[] = [
    { is: 'text', text: 'open' },
    { is: 'text', text: 'done' },
  ]
  const first = changesSince(row(open!), row(done!), NONE)
  expect([...first.labels]).toEqual([['state', 'State']])
  // What is drawn anew without another value keeps the mark of the last change.
  expect(changesSince(row(done!), row(done!), first)).toBe(first)
  expect(changesSince(row(done!), row(open!), first).round).toBe(2)
})

test('another row has not changed', () => {
  const before = row({ is: 'null' })
  expect(changesSince(before, row({ is: 'empty' }, '2'), NONE).labels.size).toBe(0)
})
