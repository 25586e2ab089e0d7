/** The number of the page, and the form that it opens, as the server draws them. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { componentOf, pageOf } from '../../../test/simulated-browser.ts'
import { createStaticRuntime } from '../../client/static-runtime.ts'
import { pages as english } from '../../messages/en.ts'
import type { Pagination } from '../../protocol/table-view.ts'
import { RuntimeProvider } from '../../react/runtime-context.tsx'
import { MessagesContext } from '../parts/use-messages.ts'
import { PageLinks } from './page-links.tsx'

function links(page: Partial<Pagination>): string {
  const whole = { number: 1, pages: '4', size: 25, range: null, sizes: [], ...page }
  return renderToString(
    <MessagesContext value={english}>
      <RuntimeProvider runtime={createStaticRuntime(pageOf([componentOf({})]))}>
        <PageLinks
          component="list"
          page={whole}
          href="/tables/strikes"
          params={[['search', 'goose']]}
          turn={() => undefined}
        />
      </RuntimeProvider>
    </MessagesContext>,
  )
}

test('the number of one page among several opens a form that leads to another without script too', () => {
  const html = links({ number: 1200, pages: '2,000', previous: '/tables/strikes?page=1199' })
  const [, form] = /popoverTarget="([^"]+)"[^>]*>Page 1,200 of 2,000<\/button>/.exec(html) ?? []
  expect(html).toMatch(
    new RegExp(`<div id="${form}"[^>]* popover="auto"[^>]*><header.*?</header><form `),
  )
  expect(html).toMatch(/<form [^>]*action="\/tables\/strikes"/)
  expect(html).toContain('<input type="hidden" name="search" value="goose"/>')
  expect(html).toMatch(/<input [^>]*name="page"[^>]* value="1200"/)
})

test('the number of an only page leads nowhere, and one that is not known is not shown', () => {
  expect(links({ pages: '1' })).toContain('<span class="at">Page 1 of 1</span>')
  expect(links({ number: null, next: '/tables/strikes?after=x' })).not.toContain('<form')
})
