/** What is said above rows that a plan has left, as the server draws it. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import type { LeftView } from '../../protocol/plan-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { LeftRows } from './left-rows.tsx'

const LEFT: LeftView = {
  ...{
    title: 'Not changed by “Delete 3 rows”',
    allHref: '/tables/a',
    wholeHref: null,
    again: null,
  },
  otherReasons: null,
  reasons: [
    { text: 'Locked.', count: '1,200', href: '/tables/a?left=p.0', isShown: false },
    { text: 'No longer matched', count: '1', href: '/tables/a?left=p.1', isShown: false },
  ],
}

const drawn = (over: Partial<LeftView> = {}): string =>
  renderToString(
    <RuntimeProvider runtime={createStaticRuntime(pageOf([]))}>
      <LeftRows left={{ ...LEFT, ...over }} />
    </RuntimeProvider>,
  )

const links = (html: string) =>
  [...html.matchAll(/<a[^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/g)].map(([, href, text]) => [
    href,
    text?.replaceAll(/<[^>]*>/g, ''),
  ])

test('each reason is a link to its rows, and all rows are a link as well', () => {
  expect(links(drawn())).toEqual([
    ['/tables/a?left=p.0', '1,200 Locked.'],
    ['/tables/a?left=p.1', '1 No longer matched'],
    ['/tables/a', 'Show all rows'],
  ])
})

test('the reasons are read out as a list', () => expect(drawn()).toContain('<ul role="list">'))

test('where the rows of one reason are shown, it is marked, and leads back to all reasons', () => {
  const [first, second] = LEFT.reasons
  const reasons = [{ ...first!, isShown: true }, second!]
  const html = drawn({ reasons, wholeHref: '/tables/a?left=p' })
  expect(html.match(/aria-current="true"/g)).toHaveLength(1)
  expect(links(html)).toContainEqual(['/tables/a?left=p', 'All reasons'])
})

test('says how many reasons are not told', () =>
  expect(drawn({ otherReasons: '3 more reasons' })).toContain('<li>3 more reasons</li>'))
