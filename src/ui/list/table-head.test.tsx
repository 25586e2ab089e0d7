/** Heads, as the server draws them. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages as english } from '../../messages/en.ts'
import type { ColumnView } from '../../protocol/table-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { drawnColumns } from './drawn-columns.ts'
import { TableHead } from './table-head.tsx'

function head(column: Partial<ColumnView>): string {
  const view = { name: 'phase', label: 'Phase', kind: 'text', ...column } as const
  const columns = drawnColumns({ columns: [view] })
  return renderToString(
    <MessagesContext value={english}>
      <RuntimeProvider runtime={createStaticRuntime(pageOf([componentOf({})]))}>
        <table>
          <TableHead
            component="list"
            columns={columns}
            isFull={false}
            sort={() => undefined}
            pick={null}
          />
        </table>
      </RuntimeProvider>
    </MessagesContext>,
  )
}

test('the keyboard reaches a head without a button if it has something to say', () => {
  expect(head({ help: 'Of the flight.' })).toContain('tabindex="0"')
  expect(head({ unsortable: 'Too many rows.' })).toContain('tabindex="0"')
  expect(head({})).not.toContain('tabindex')
  const sortable = head({ help: 'Of the flight.', sortValue: 'phase' })
  expect(sortable).toContain('<button')
  expect(sortable).not.toContain('tabindex')
})
