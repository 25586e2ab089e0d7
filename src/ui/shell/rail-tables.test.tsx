/** The rail's tables, drawn by the server from what it has kept. */

import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pages as english } from '../../messages/en.ts'
import type { PageMessages } from '../../messages/messages.ts'
import type { RailFold, RailItem } from '../../protocol/admin-view.ts'
import { keepMarkup, type KeptMarkup, KeptMarkupContext } from '../parts/kept-markup.ts'
import { MessagesContext } from '../parts/use-messages.ts'
import { RailTables } from './rail-tables.tsx'

const drawn = (element: ReactElement, messages: PageMessages): string =>
  renderToString(<MessagesContext value={messages}>{element}</MessagesContext>)

const itemOf = (name: string, count: string | null = '≈ 5'): RailItem => ({
  name,
  label: `The “${name}” & others`,
  href: `/tables/${name}`,
  count,
})

const foldOf = (items: readonly RailItem[], isOpen: boolean | null = null): RailFold => ({
  ...{ id: 'tables order_', label: 'Order …', prefix: 'Order ', isOpen },
  items: items.map((item) => ({ ...item, name: `order_${item.name}`, label: 'Order lines' })),
})

const fold = () => {}

const railOf = (markup: KeptMarkup | null, items: readonly RailItem[], current: string | null) =>
  drawn(
    <KeptMarkupContext value={markup}>
      <RailTables
        groups={[{ kind: 'tables', items: [...items], folds: [foldOf(items)] }]}
        {...{ current, fold }}
      />
    </KeptMarkupContext>,
    english,
  )

test('what is kept is what React draws, to the byte, and follows the tables and the current one', () => {
  const markup = keepMarkup(drawn, 2)
  const lists = [[itemOf('a'), itemOf('b\u202e', null)], [itemOf('a', '≈ 6')], []]
  for (let round = 0; round < 2; round++)
    for (const items of lists)
      for (const current of [null, 'a', 'order_a', 'elsewhere'])
        expect(railOf(markup, items, current)).toBe(railOf(null, items, current))
})

test('each list of the same tables is drawn once', () => {
  let times = 0
  const markup = keepMarkup((element, messages) => {
    times++
    return drawn(element, messages)
  }, 10)
  for (let round = 0; round < 3; round++) railOf(markup, [itemOf('a')], 'a')
  expect(times).toBe(2)
})

const isOpen = (current: string | null, chosen: boolean | null) =>
  drawn(
    <RailTables
      groups={[{ kind: 'tables', items: [], folds: [foldOf([itemOf('a')], chosen)] }]}
      {...{ current, fold }}
    />,
    english,
  ).includes('<details open')

test('tables that fold are shown where they hold the current one, or as the person has chosen', () => {
  expect(isOpen('order_a', null)).toBe(true)
  expect(isOpen('a', null)).toBe(false)
  expect(isOpen('a', true)).toBe(true)
  expect(isOpen('order_a', false)).toBe(false)
})

test('a word that stands above the tables is only read out with each, and a real name stands beside', () => {
  const html = railOf(null, [{ ...itemOf('a'), real: 'old.a' }], null)
  expect(html).toContain('<span class="sr">Order </span>lines')
  expect(html).toMatch(/<small>.*old\.a<\/small>/)
})
