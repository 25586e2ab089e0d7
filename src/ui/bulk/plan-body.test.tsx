import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages } from '../../messages/en.ts'
import type { PlanView, TryResult } from '../../protocol/plan-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { PlanBody } from './plan-body.tsx'

const PLAN: PlanView = {
  ...{ handle: 'h', title: 'Set Status to Closed in 3 rows', rows: 3, rowsText: '3' },
  figures: [
    { text: 'Selected', count: '4' },
    { text: 'Refused', count: '−1' },
  ],
  changes: [{ label: 'Status', before: 'New', after: 'Closed', count: '3' }],
  moreChanges: null,
  sample: [
    {
      ...{ key: '7', label: 'Denver' },
      changes: [{ column: 'status', label: 'Status', before: 'New', after: 'Closed' }],
    },
  ],
  refused: {
    reasons: [{ text: 'Not yours', count: '1' }],
    rows: [{ key: '9', label: 'Boston', reason: 'Not yours' }],
  },
  ...{ hanging: [], seal: 'Sealed at noon.', typed: null, runs: 'at-once', write: 'Write 3 rows' },
  canTry: true,
}

/** What is read in it, without its marks. */
const read = (plan: Partial<PlanView>, tried: TryResult | null = null): string =>
  renderToString(
    <RuntimeProvider runtime={createStaticRuntime(pageOf([]))}>
      <MessagesContext value={pages}>
        <PlanBody plan={{ ...PLAN, ...plan }} tried={tried} />
      </MessagesContext>
    </RuntimeProvider>,
  )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('says how many rows are written, what changes in them, which are refused and why', () => {
  const text = read({})
  expect(text).toContain('Selected 4 Refused −1 To be written 3')
  expect(text).toContain('New → becomes Closed 3')
  expect(text).toContain('A sample, 1 of 3')
  expect(text).toContain('7 Denver New → becomes Closed')
  expect(text).toContain('Refused, 1')
  expect(text).toContain('9 Not yours')
  expect(text).toContain('Sealed at noon.')
})

test('of several fields each change names its own, and a value that stays becomes nothing', () => {
  const change = { label: 'Notes', before: null, after: '', count: '3' }
  const text = read({ changes: [...PLAN.changes, change] })
  expect(text).toContain('Status New → becomes Closed')
  expect(text).toContain('Notes – no value → becomes empty text')
  const [row] = PLAN.sample
  const same = { column: 'status', label: 'Status', before: 'Closed', after: 'Closed' }
  expect(read({ sample: [{ ...row!, changes: [same] }] })).toContain('Denver Closed Refused')
})

test('of rows that go, says what hangs on them', () => {
  const hanging = [{ text: '31 comments are deleted.' }]
  const [row] = PLAN.sample
  const gone = [{ column: 'status', label: 'Status', before: 'New' }]
  const text = read({ hanging, changes: [], sample: [{ ...row!, changes: gone }] })
  expect(text).toContain('What hangs on these rows 31 comments are deleted.')
  expect(text).toContain('7 Denver New Refused')
  expect(text).not.toContain('What changes')
})

test('of one row, speaks of no set', () => {
  const hanging = [{ text: '31 comments are deleted.', href: '/tables/comments' }]
  const text = read({ isOne: true, hanging, refused: { reasons: [], rows: [] } })
  expect(text).toContain('What refers to it 31 comments are deleted. The row Key')
  expect(text).not.toMatch(/Selected|To be written|A sample|These rows/i)
})

test('shows what trying it has done, or why it would be refused', () => {
  const tables = [{ text: 'Audit log', count: '3' }]
  const tried: TryResult = { status: 'tried', text: 'It took 1 s.', tables, sample: [] }
  expect(read({}, tried)).toContain('Tried and taken back It took 1 s. Audit log 3')
  const rows = [{ key: '7', label: 'Denver', reason: 'A check fails' }]
  const refused: TryResult = { status: 'refused', text: 'One row fails.', rows }
  expect(read({}, refused)).toContain('One row fails.')
  expect(read({}, refused)).toContain('7 A check fails')
})
