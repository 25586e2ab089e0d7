/** What the palette offers: the table that is open is never cut off, and what has no name is searched for. */

import { describe, expect, test } from 'vitest'
import { messagesFor } from '../../messages/messages.ts'
import type { RailItem } from '../../protocol/admin-view.ts'
import { type Offer, sectionsOf } from './palette-items.ts'

const { commands: messages } = messagesFor('en')

const table = (name: string): RailItem => ({
  ...{ name, label: name[0]!.toUpperCase() + name.slice(1), href: `/tables/${name}`, count: null },
})

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'strikes', 'z']

const offer = (over: Partial<Offer>): Offer => ({
  ...{ text: '', commands: [], recent: [], records: [], lists: [], current: null, messages },
  groups: [
    { kind: 'pinned', items: [table('z')] },
    { kind: 'pages', items: [{ ...table('history'), href: '/history' }] },
    { kind: 'tables', items: NAMES.map(table) },
  ],
  ...over,
})

const section = (title: string, over: Partial<Offer>) =>
  sectionsOf(offer(over)).find((one) => one.title === title)?.items ?? []

const labels = (title: string, over: Partial<Offer>) =>
  section(title, over).map(({ label }) => label)

test('of many tables, the one that is open is listed', () => {
  const { tables } = messages.groups
  expect(labels(tables, {})).toEqual(['History', 'A', 'B', 'C', 'D', 'E', 'F', 'G'])
  const open = ['History', 'A', 'B', 'C', 'D', 'E', 'F', 'Strikes']
  expect(labels(tables, { current: 'strikes' })).toEqual(open)
  expect(labels(tables, { current: 'b' })).toEqual(labels(tables, {}))
})

describe('at its end, a text leads to a search', () => {
  const { search } = messages.groups

  test('of the table that is open, in its list or on a page of its rows', () => {
    const lists = ['b', 'a']
    const items = section(search, { text: ' denver  goose ', current: 'strikes', lists })
    expect(items).toMatchObject([
      {
        label: 'Search Strikes for “denver  goose”',
        href: '/tables/strikes?search=denver++goose',
        isFallback: true,
      },
    ])
    const last = sectionsOf(offer({ text: 'a', current: 'strikes' })).at(-1)
    expect(last?.title).toBe(search)
  })

  test('elsewhere, of those that the server names', () => {
    const lists = ['b', 'gone', 'a']
    const asked = { text: 'x&y', current: 'history', lists }
    expect(section(search, asked).map(({ href }) => href)).toEqual([
      '/tables/b?search=x%26y',
      '/tables/a?search=x%26y',
    ])
  })

  test('but nothing that was typed leads nowhere', () => {
    expect(labels(search, { text: ' ', current: 'strikes' })).toEqual([])
  })
})
