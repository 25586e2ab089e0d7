import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages } from '../../messages/en.ts'
import type { JobView } from '../../protocol/job-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { JobsRegion } from './jobs-region.tsx'

const RUNNING: JobView = {
  ...{ id: 'j1', title: 'Set Status to Closed', about: 'Strikes, by you', state: 'running' },
  ...{ done: 31_442, total: 48_210, doneText: '31,442', totalText: 'of 48,210' },
  ...{ pace: '3,910 rows/s, 4 s left', mayPause: true, mayResume: false, mayCancel: true },
  ...{ result: null, entry: null, left: null },
}
const ENDED: JobView = {
  ...{ ...RUNNING, id: 'j2', state: 'cancelled', pace: '', mayPause: false, mayCancel: false },
  ...{ result: 'Cancelled. 4,000 rows written.', entry: 'e1' },
  left: { text: 'Open the 3', href: '/tables/strikes?rows=left' },
}

const drawn = (jobs: readonly JobView[], isStrip = false): string =>
  renderToString(
    <RuntimeProvider
      runtime={createStaticRuntime(
        pageOf([{ ...componentOf({}, { name: 'jobs' }), view: { jobs: [...jobs] } }]),
      )}
    >
      <MessagesContext value={pages}>
        <JobsRegion isStrip={isStrip} />
      </MessagesContext>
    </RuntimeProvider>,
  )

const buttons = (html: string) =>
  [...html.matchAll(/aria-label="([^"]+)"[^>]*>/g)].map(([, name]) => name)

test('a running job says how far it is, and can be paused and cancelled by whoever may', () => {
  const html = drawn([RUNNING])
  expect(html).toContain('<progress aria-label="Set Status to Closed" max="48210" value="31442">')
  expect(html).toContain('3,910 rows/s, 4 s left')
  expect(buttons(html)).toEqual([
    'Jobs',
    'Set Status to Closed',
    'Pause: Set Status to Closed',
    'Cancel: Set Status to Closed',
  ])
  const watched = { ...RUNNING, mayPause: false, mayCancel: false }
  expect(buttons(drawn([watched]))).toEqual(['Jobs', 'Set Status to Closed'])
})

test('of a job whose length nobody knows, the bar has no value', () => {
  const html = drawn([{ ...RUNNING, total: null, totalText: '' }])
  expect(html).toContain('<progress aria-label="Set Status to Closed"></progress>')
})

test('one that has ended says what became of it, and is taken back or looked into from there', () => {
  const html = drawn([ENDED])
  expect(html).not.toContain('<progress')
  expect(html).toContain('Cancelled. 4,000 rows written.')
  expect(html).toContain('href="/tables/strikes?rows=left"')
  expect(buttons(html).slice(-2)).toEqual([
    'Undo: Set Status to Closed',
    'Dismiss: Set Status to Closed',
  ])
})

test('many are one line on a list, and a line each in the history', () => {
  const jobs = [RUNNING, { ...RUNNING, id: 'j3', done: 0, total: 1790 }, ENDED]
  const strip = drawn(jobs, true)
  expect(strip).toContain('<b>3 jobs</b>')
  expect(strip).toContain('<progress aria-label="3 jobs" max="50000" value="31442">')
  expect(strip.match(/<progress/g)).toHaveLength(1)
  expect(drawn(jobs).match(/<progress/g)).toHaveLength(2)
})

test('without jobs, and on pages that show none, there is no region', () => {
  expect(drawn([])).not.toContain('<section')
})
