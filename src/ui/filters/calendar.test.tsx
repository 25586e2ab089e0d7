/** The calendar, as it is drawn first. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages as english } from '../../messages/en.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { Calendar, type CalendarProps } from './calendar.tsx'

type Drawn = Partial<Pick<CalendarProps, 'days' | 'newest'>> & { latest?: string }

const CHOSEN = { from: '2024-03-01', to: '2024-03-05' }

const drawn = (zone: string, { days = CHOSEN, newest = null, ...bounds }: Drawn = {}): string => {
  const control = { type: 'date' as const, format: 'Y-m-d', weekStart: 1, zone, ...bounds }
  const ignored = () => undefined
  return renderToString(
    <MessagesContext value={english}>
      <RuntimeProvider runtime={createStaticRuntime(pageOf([componentOf({})]))}>
        <Calendar
          {...{ control, preset: null, days, newest }}
          {...{ begin: ignored, choose: ignored, choosePreset: ignored, clear: ignored }}
        />
      </RuntimeProvider>
    </MessagesContext>,
  )
}

test.each(['UTC', 'Asia/Tokyo'])('says whose days it means by “Today”: those of %s', (zone) => {
  expect(drawn(zone)).toContain(`<span class="hint">Days in the time zone ${zone}</span>`)
})

const NONE = { from: null, to: null }
const monthsOf = (html: string) =>
  [...html.matchAll(/<table role="grid" aria-label="([^"]+)"/g)].map(([, name]) => name)

test.each<[string, Drawn, string[]]>([
  [
    'the newest day of the rows',
    { days: NONE, newest: '2002-07-25' },
    ['July 2002', 'August 2002'],
  ],
  [
    'the filter’s last day, where rows are newer',
    { days: NONE, newest: '2002-07-25', latest: '1999-05-01' },
    ['May 1999', 'June 1999'],
  ],
  ['the days that are chosen', { newest: '2002-07-25' }, ['March 2024', 'April 2024']],
  [
    'each of two fields',
    { days: { from: '1998-06-08', to: '2002-07-25' }, newest: '2010-01-01' },
    ['June 1998', 'July 2002'],
  ],
])('opens at %s', (_, given, months) => {
  expect(monthsOf(drawn('UTC', given))).toEqual(months)
})
