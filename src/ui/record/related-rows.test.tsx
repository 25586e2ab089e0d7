/** The first rows that refer to a row, as the server draws them. */

import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pages as english } from '../../messages/en.ts'
import type { Cell, ColumnView, Row } from '../../protocol/table-view.ts'
import { MessagesContext } from '../parts/use-messages.ts'
import { RelatedJumps, RelatedRows } from './related-rows.tsx'

/** The text of a line with these columns. */
function lineOf(columns: readonly Pick<ColumnView, 'kind' | 'unit'>[], ...cells: Cell[]): string {
  const named = columns.map((column, at) => ({ ...column, name: `c${at}`, label: `Label ${at}` }))
  const rows: Row[] = [['1', 'Strike 1', ...cells]]
  const count = { kind: 'exact', count: 1, text: '1' } as const
  const html = renderToString(
    <MessagesContext value={english}>
      <RelatedRows
        related={[
          {
            ...{ label: 'Strikes', href: '/tables/strikes?x', list: '/tables/strikes', count },
            first: { columns: named, rows, isAll: true },
          },
        ]}
      />
    </MessagesContext>,
  )
  const line = /<a class="line"[^>]*>(.*?)<\/a>/.exec(html)?.[1] ?? ''
  return line.replaceAll(/<[^>]*>/g, '').trim()
}

test('a value that could be of anything stands with its label, and no other', () => {
  const text = { kind: 'text' } as const
  expect(lineOf([text, { kind: 'number' }], 'LaGuardia', '3')).toBe('LaGuardia Label 1 3')
  expect(lineOf([text, { kind: 'boolean' }], 'LaGuardia', 'Yes')).toBe('LaGuardia Label 1 Yes')
  expect(lineOf([{ kind: 'relation' }], ['8052', '8052'])).toBe('Label 0 8052')
  expect(lineOf([text, { kind: 'number', unit: 'kt' }], 'LaGuardia', '3')).toBe('LaGuardia 3 kt')
  expect(lineOf([text, { kind: 'status' }], 'LaGuardia', ['New', 'new'])).toBe('LaGuardia New')
  expect(lineOf([text, { kind: 'date' }], 'LaGuardia', 'Jul 5')).toBe('LaGuardia Jul 5')
})

test('below the fields, there are ways to those tables that have any', () => {
  const exact = (count: number) => ({ kind: 'exact' as const, count, text: String(count) })
  const related = [
    { label: 'Comments', href: '/a', list: '/a', count: exact(0) },
    { label: 'Strikes', href: '/b', list: '/b', count: exact(31) },
  ]
  const drawn = (part: ReactNode) =>
    renderToString(<MessagesContext value={english}>{part}</MessagesContext>)
  const [, id, text] =
    /<a href="#([^"]+)">(.*?)<\/a>/.exec(drawn(<RelatedJumps related={related} />)) ?? []
  expect(text?.replaceAll(/<[^>]*>/g, '')).toBe('31 Strikes')
  expect(drawn(<RelatedJumps related={related} />)).not.toContain('Comments')
  expect(drawn(<RelatedRows related={related} />)).toMatch(
    new RegExp(`<section id="${id}"><h2><a href="/b">`),
  )
})
