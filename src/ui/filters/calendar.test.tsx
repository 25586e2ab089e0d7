/** The calendar, as it is drawn first. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages as english } from '../../messages/en.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { Calendar, type CalendarProps } from './calendar.tsx'

const drawn = (zone: string): string => {
  const control: CalendarProps['control'] = { type: 'date', format: 'Y-m-d', weekStart: 1, zone }
  const ignored = () => undefined
  return renderToString(
    <MessagesContext value={english}>
      <RuntimeProvider runtime={createStaticRuntime(pageOf([componentOf({})]))}>
        <Calendar
          {...{ control, preset: null, days: { from: '2024-03-01', to: '2024-03-05' } }}
          {...{ begin: ignored, choose: ignored, choosePreset: ignored, clear: ignored }}
        />
      </RuntimeProvider>
    </MessagesContext>,
  )
}

test.each(['UTC', 'Asia/Tokyo'])('says whose days it means by “Today”: those of %s', (zone) => {
  expect(drawn(zone)).toContain(`<span class="hint">Days in the time zone ${zone}</span>`)
})
