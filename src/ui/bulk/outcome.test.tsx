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

const drawn = (result: Written): string => {
  const step: Step = { is: 'left', result }
  return renderToString(
    <RuntimeProvider runtime={createStaticRuntime(pageOf([]))}>
      <Outcome flow={flow} step={step} table="crates" />
    </RuntimeProvider>,
  )
}

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
