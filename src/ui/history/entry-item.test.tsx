import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages } from '../../messages/en.ts'
import type { EntryView, FieldChange } from '../../protocol/history-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { EntryItem } from './entry-item.tsx'

const COST: FieldChange = {
  ...{ column: 'cost', label: 'Cost', before: '0', after: '1,234', isUntold: false },
}
const ENTRY: EntryView = {
  ...{ id: 'e1', iso: '2026-03-05T08:00:00.000Z', time: '8:00 AM', day: 'Today', who: 'Ana' },
  ...{ behalf: null, door: 'cell', what: 'Changed “Denver” of Strikes.', fields: [COST] },
  ...{
    said: ['Changed ', ' of Strikes'],
    link: { href: '/tables/strikes/records/1', label: 'Denver' },
  },
  ...{ notes: [], isUndone: false, undo: { may: true }, erase: null },
}

/** What is read of the entry, from its sentence on. */
const told = (entry: EntryView): string => {
  const html = renderToString(
    <RuntimeProvider runtime={createStaticRuntime(pageOf([]))}>
      <MessagesContext value={pages}>
        <EntryItem entry={entry} undo={() => undefined} erase={() => undefined} />
      </MessagesContext>
    </RuntimeProvider>,
  )
  const text = html.slice(html.indexOf('class="what"')).replaceAll(/<!-- -->|<[^>]*>/g, '')
  return text.replace('class="what">', '').replaceAll(/\s+/g, ' ')
}

test('one sentence names the row once, and tells its field', () => {
  expect(told(ENTRY)).toBe('Changed Denver of Strikes: Cost 0 →is now 1,234Undo')
  const speed = { ...COST, column: 'speed', label: 'Speed' }
  expect(told({ ...ENTRY, fields: [COST, speed] })).toBe(
    'Changed Denver of StrikesCost0 →is now 1,234Speed0 →is now 1,234Undo',
  )
})

test('of several old values none is told, and what is hidden has a line of its own', () => {
  const mixed: FieldChange = { ...COST, before: null, isMixed: true }
  const many = { said: ['Changed 2 rows of Strikes'], link: null }
  expect(told({ ...ENTRY, ...many, fields: [mixed] })).toBe(
    'Changed 2 rows of Strikes: Cost →is now 1,234Undo',
  )
  const untold: FieldChange = { ...COST, before: null, after: null, isUntold: true }
  expect(told({ ...ENTRY, fields: [untold] })).toBe(
    'Changed Denver of StrikesCostChanged; its values are not shown.Undo',
  )
})
