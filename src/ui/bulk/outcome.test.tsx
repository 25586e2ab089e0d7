/** How a dialog ends that has left rows, as the server draws it. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { createFlow, type Step, type Written } from './flow.ts'
import { Outcome } from './outcome.tsx'

const never = () => Promise.withResolvers<never>().promise
const flow = createFlow({
  calls: { seal: never, tryPlan: never, writePlan: never, dropPlan: () => Promise.resolve() },
  ...{ selected: ['1'], hasForm: false, tell: () => undefined },
})

const drawn = (result: Written): string => drawnAt({ is: 'left', result })

const drawnAt = (step: Step): string =>
  renderToString(
    <RuntimeProvider runtime={createStaticRuntime(pageOf([]))}>
      <Outcome flow={flow} step={step} table="crates" />
    </RuntimeProvider>,
  )

const left = { text: 'Show the 2 rows that were not changed', href: '/tables/crates?left=p' }

test('rows that were left are a link to them as a selection', () => {
  const html = drawn({ status: 'done', text: 'Changed 3 rows.', entry: 'e', rows: 3, left })
  expect(html).toContain('Changed 3 rows.')
  expect(html).toContain(`href="/tables/crates?left=p">${left.text}</a>`)
})

test('what was done in part names the first of them with their reasons besides', () => {
  const rows = [{ key: '2', label: 'Two', reason: 'Even.' }]
  const html = drawn({ status: 'partly', text: 'Check: done in 2 rows.', rows, left })
  expect(html).toContain(left.text)
  expect(html).toContain('Even.')
  expect(drawn({ status: 'partly', text: 'Check.', rows, left: null })).not.toContain('<a ')
})

test('a row that is refused leads to those that hold it, and can only be left', () => {
  const hanging = [{ text: '2 rows of Bills refer to it.', href: '/tables/bills' }]
  const none = { reasons: [], rows: [] }
  const refusal = { title: 'Denver cannot be deleted', reasons: [], hanging, refused: none }
  const html = drawnAt({ is: 'refused', refusal })
  expect(html).toContain('href="/tables/bills">2 rows of Bills refer to it.</a>')
  expect(html.match(/<button.*?<\/button>/g)).toEqual([expect.stringContaining('>Close<')])
  const rows = [{ key: '2', label: 'Two', reason: 'Even.' }]
  const refused = { reasons: [{ text: 'Even.', count: '1' }], rows }
  const all = drawnAt({ is: 'refused', refusal: { ...refusal, hanging: [], refused } })
  expect(all).toContain('Refused, 1')
  expect(all).toContain('Even.')
})
