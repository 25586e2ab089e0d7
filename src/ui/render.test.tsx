/** What the server draws: names to rely on, forms that work before script, nothing inline. */

import { expect, test } from 'vitest'
import type { PageContent, PageData, ShellView } from '../protocol/page.ts'
import type { TableView } from '../protocol/table-view.ts'
import { render } from './render.tsx'

const shell: ShellView = {
  database: { name: 'demo', kind: 'SQLite' },
  user: { name: 'Ana Kovač', email: 'ana@faa.example', role: 'Administrator' },
  groups: [
    {
      kind: 'tables',
      items: [{ name: 'strikes', label: 'Strikes', href: '/tables/strikes', count: '302k' }],
    },
  ],
  current: 'strikes',
}

const view: TableView = {
  name: 'strikes',
  label: 'Strikes',
  href: '/tables/strikes',
  allColumns: [{ name: 'airport', label: 'Airport', shown: true }],
  columns: [
    { name: 'airport', label: 'Airport', kind: 'text', isLabel: true, sortValue: '-airport' },
    { name: 'species', label: 'Species', kind: 'text' },
    { name: 'cost', label: 'Cost', kind: 'money', unit: '$' },
    { name: 'status', label: 'Status', kind: 'status' },
  ],
  rows: [
    ['1', 'Memphis', 'Memphis', null, '0', ['Open', 'warn']],
    ['2', 'Oslo', 'Oslo <Gardermoen>', '', 0, ['Closed', 'idle']],
  ],
  total: { kind: 'estimate', text: '302,417', count: 302_417 },
  page: {
    number: 2,
    pages: '≈ 12,097',
    size: 25,
    range: '26–50',
    previous: '/tables/strikes?before=x',
    next: '/tables/strikes?after=y',
    sizes: [25, 50],
  },
  search: 'm',
  clearHref: '/tables/strikes',
  params: [
    ['search', 'm'],
    ['sort', 'airport'],
  ],
  sortText: 'Airport, A to Z',
  readOnly: 'This is a view.',
  slow: null,
}

const snapshot = (data: object) => JSON.stringify({ data, memo: {}, checksum: '' })

function pageOf(content: PageContent, components: PageData['components'] = []): PageData {
  const base = { id: 'shell', name: 'shell', snapshot: snapshot({}), view: shell }
  return {
    title: '',
    url: '/',
    language: 'en',
    locale: 'en-US',
    direction: 'ltr',
    csrf: 'token',
    updateUrl: '/tablewire/update',
    assets: { version: '1' },
    preferences: { theme: 'system', density: 'comfortable', railCollapsed: false },
    shell: content.page === 'sign-in' || content.page === 'link' ? null : 'shell',
    content,
    components: [base as PageData['components'][number], ...components],
  }
}

const listing = (changes: Partial<TableView> = {}) =>
  render(
    pageOf({ page: 'list', component: 'list' }, [
      {
        id: 'list',
        name: 'table',
        snapshot: snapshot({ search: 'm' }),
        view: JSON.parse(JSON.stringify({ ...view, ...changes })),
      },
    ]),
  )

test('a listing has its names, its rows and their parity', () => {
  const html = listing()
  expect(html).toContain('<h1>Strikes</h1><span class="total">≈ 302,417</span>')
  expect(html).toMatch(/<table[^>]* aria-label="Strikes"/)
  expect(html).toContain('data-row-key="1" data-parity="odd"')
  expect(html).toContain('data-row-key="2" data-parity="even"')
  expect(html).toContain('Oslo &lt;Gardermoen&gt;')
})

test('a text that was cut says its length, in the first column as well', () => {
  const html = listing({ rows: [['1', 'a', ['Mem', 400], ['Bir', 300], '0', null]] })
  expect(html).toMatch(/<th[^>]* scope="row"[^>]* data-length="400"[^>]*>Mem…</)
  expect(html).toMatch(/<td[^>]* data-length="300"[^>]*>Bir…</)
})

test('the search takes no more than the server does', () => {
  expect(listing()).toMatch(/<input[^>]* maxLength="200"[^>]* name="search"/)
})

test('a table among the recent ones is marked as the current one once, in its own group', () => {
  const tables = shell.groups[0]!
  const groups: ShellView['groups'] = [{ kind: 'recent', items: tables.items }, tables]
  const page = pageOf({ page: 'no-tables' })
  const [base] = page.components
  const html = render({ ...page, components: [{ ...base!, view: { ...shell, groups } }] })
  expect(html).toMatch(/<h2>Recent<\/h2>.*<h2>Tables<\/h2>.*aria-current="page"/)
  expect(html.match(/aria-current/g)).toHaveLength(1)
})

test('absent has four faces', () => {
  const html = listing()
  expect(html).toContain('<span class="absent">–<span class="sr"> no value')
  expect(html).toContain('<span class="absent">“ ”<span class="sr"> empty text')
  expect(html).toContain('<span class="absent no-access"><span class="sr">No access')
  expect(html).toMatch(/<td[^>]*data-unit="\$"[^>]*>0<\/td>/)
})

test('search, order, size and pages work before script', () => {
  const html = listing()
  expect(html).toContain('<form role="search" class="wrap search" action="/tables/strikes">')
  expect(html).toMatch(/<button type="submit" form="sort-form" value="-airport" name="sort">/)
  expect(html).toMatch(/<form id="sort-form"[^>]*><input type="hidden" name="search" value="m"\/>/)
  expect(html).toMatch(/<noscript><button type="submit"/)
  expect(html).toMatch(/aria-label="Next page" href="\/tables\/strikes\?after=y"/)
  expect(html).toMatch(/aria-label="Last page" role="link" aria-disabled="true"/)
})

test('no rows: why, and the way out', () => {
  expect(listing({ rows: [], page: { ...view.page, previous: undefined! } })).toContain(
    'Nothing matches “m”',
  )
  expect(listing({ rows: [] })).toContain('No rows on this page')
})

test('sign-in posts to the server, with its token', () => {
  const html = render(
    pageOf({ page: 'sign-in', facts: [], email: 'a@b.c', next: '/tables/x', error: 'No.' }),
  )
  expect(html).toContain('action="/sign-in" method="post"')
  expect(html).toContain('name="_token" value="token"')
  expect(html).toContain('name="next" value="/tables/x"')
  expect(html).toContain('role="alert"')
})

test.each<PageContent>([
  { page: 'no-tables' },
  { page: 'sign-in', facts: [{ label: 'a', value: 'b' }], email: '', next: '/', error: null },
  {
    page: 'link',
    facts: [],
    action: '/l',
    newAdministrator: true,
    name: '',
    email: '',
    errors: {},
  },
])('$page has no inline style, script or handler', (content) => {
  for (const html of [render(pageOf(content)), listing()])
    expect(html).not.toMatch(/ style=|<script|<style| on\w+=/)
})

test('text that was cut says so; spaces at its ends and line breaks have a mark', () => {
  const html = listing({
    rows: [['1', 'a', ['x'.repeat(160), 5000], ' two\nlines  ', '0', null]],
  })
  expect(html).toContain(`${'x'.repeat(160)}…</th>`)
  expect(html).toContain(
    '<span class="unseen"> </span>two<span class="unseen break">\n</span>lines' +
      '<span class="unseen"> </span><span class="unseen"> </span></td>',
  )
})

test('a name with a dot in it has no breadcrumb', () => {
  expect(listing({ name: 'my table.v2' })).not.toContain('my table')
})

test.each([
  [404, 'NOT_FOUND', 'Not found'],
  [422, 'TABLE_UNKNOWN_COLUMN', 'This address cannot be shown'],
  [503, 'BUSY', 'Something went wrong'],
] as const)('a page of status %d is headed in words', (status, code, title) => {
  const way = { href: '/', linkText: 'Start', reference: null }
  const html = render(
    pageOf({ page: 'error', status, code, message: 'No.', detail: '[nope]', ...way }),
  )
  expect(html).toContain(`<h1>${title}</h1>`)
  expect(html).toContain(`<p class="hint">Status ${status}</p>`)
  expect(html).toContain('<p>The address says “nope”.</p>')
})

test('heads that do nothing are not buttons', () => {
  expect(listing()).toMatch(/<th[^>]*><span class="name">Species<\/span><\/th>/)
})
