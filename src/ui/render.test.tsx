/** What the server draws: names to rely on, forms that work before script, nothing inline. */

import { describe, expect, test } from 'vitest'
import type { ShellView, SignInView } from '../protocol/admin-view.ts'
import type { Json } from '../protocol/json.ts'
import type { PageContent, PageData } from '../protocol/page.ts'
import type { GoneView, RecordView } from '../protocol/record-view.ts'
import type { Cell, TableView } from '../protocol/table-view.ts'
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
  looking: null,
  links: { start: '/', account: '/you', signOut: { href: '/sign-out', method: 'post' } },
}

const signIn = (more: Partial<SignInView> = {}) => ({
  view: {
    ...{
      facts: [],
      action: '/sign-in',
      email: '',
      next: '/',
      error: null,
      second: null,
      passkey: null,
      provider: null,
    },
    ...more,
  } satisfies SignInView,
  signIn: { title: 'Sign in', lead: '', email: 'Email', password: 'Password', submit: 'Sign in' },
  words: null,
})

/** A page without components. */
const about = (page: string, data: Json = null): PageContent => ({ page, data, components: {} })

/** A page of one component, in the slot of its own name. */
const showing = (page: string): PageContent => ({ page, data: null, components: { [page]: page } })

const view: TableView = {
  name: 'strikes',
  label: 'Strikes',
  href: '/tables/strikes',
  filters: { offers: [], builder: false, values: {}, chips: [], clearHref: '/tables/strikes' },
  allColumns: [{ name: 'airport', label: 'Airport' }],
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
    pages: 'about 12,097',
    size: 25,
    range: ['26', '50'],
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
  advice: null,
}

const snapshot = (data: object) => JSON.stringify({ data, memo: {}, checksum: '' })

/** The saved views of a list. */
const VIEWS: PageData['components'][number] = {
  ...{ id: 'views', name: 'views', snapshot: snapshot({}) },
  view: { views: [], opensWith: null, mayDecide: false },
}

function pageOf(content: PageContent, components: PageData['components'] = []): PageData {
  const base = { id: 'shell', name: 'shell', snapshot: snapshot({}), view: shell }
  return {
    title: '',
    url: '/',
    host: 'admin.example.org:4600',
    language: 'en',
    locale: 'en-US',
    direction: 'ltr',
    csrf: 'token',
    start: '/',
    updateUrl: '/tablewire/update',
    assets: { version: '1' },
    preferences: { theme: 'system', density: 'comfortable', railCollapsed: false },
    shell: content.page === 'sign-in' || content.page === 'link' ? null : 'shell',
    current: 'strikes',
    breadcrumbs: [],
    content,
    components: [base as PageData['components'][number], VIEWS, ...components],
  }
}

const listing = (changes: Partial<TableView> = {}, rules: string[] = []) =>
  render(
    pageOf(showing('list'), [
      {
        id: 'list',
        name: 'table',
        snapshot: snapshot({ search: 'm', selected: [] }),
        view: JSON.parse(JSON.stringify({ ...view, ...changes })),
      },
    ]),
    rules,
  )

test('a listing has the widths of its columns in a rule for the head of the document', () => {
  const rules: string[] = []
  expect(listing({}, rules)).toMatch(/<table[^>]* data-component="list"/)
  expect(rules).toEqual([
    expect.stringMatching(
      /^\[data-component="list"\]\{--columns:(?: [\d.]+rem| minmax\([^)]*\)){4}\}$/,
    ),
  ])
})

test('a listing has its names, its rows and their parity', () => {
  const html = listing()
  expect(html).toContain('<h1>Strikes</h1><span class="total">about 302,417</span>')
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

describe('the toggle for all rows', () => {
  const withTotal = (total: TableView['total']) => listing({ total, selection: { of: '' } })
  const toggle = (html: string) => />(Select all[^<]*)</.exec(html)?.[1]

  test.each<[string, TableView['total'], string | undefined]>([
    ['their exact number', { kind: 'exact', text: '1,200', count: 1200 }, 'Select all 1,200'],
    ['no estimate', { kind: 'estimate', text: '200', count: 200 }, 'Select all that match'],
    ['no bound', { kind: 'atLeast', text: '9', count: 9 }, 'Select all that match'],
    ['no number yet', { kind: 'counting' }, 'Select all that match'],
    ['nothing where there are none', { kind: 'exact', text: '0', count: 0 }, undefined],
  ])('says %s', (_what, total, text) => expect(toggle(withTotal(total))).toBe(text))
})

test('the search takes no more than the server does', () => {
  expect(listing()).toMatch(/<input[^>]* maxLength="200"[^>]* name="search"/)
})

test('the current table is marked once, in its own group, and is not among the recent ones', () => {
  const tables = shell.groups[0]!
  const other = { name: 'airports', label: 'Airports', href: '/tables/airports', count: null }
  const shownWith = (...recent: (typeof other)[]) => {
    const groups: ShellView['groups'] = [
      { kind: 'pinned', items: tables.items },
      { kind: 'recent', items: [...tables.items, ...recent] },
      tables,
    ]
    const page = pageOf(about('no-tables'))
    const [base] = page.components
    return render({ ...page, components: [{ ...base!, view: { ...shell, groups } }] })
  }
  const html = shownWith(other)
  expect(html).toMatch(/<h2>Pinned<\/h2>.*<h2>Recent<\/h2>.*<h2>Tables<\/h2>.*aria-current="page"/)
  expect(html.match(/aria-current/g)).toHaveLength(1)
  expect(html.match(/<h2>Recent<\/h2><ul>(.*?)<\/ul>/)?.[1]).not.toContain('strikes')
  expect(shownWith()).not.toContain('Recent')
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

test('what a search without filters has found: of how many rows, and the way out', () => {
  const whole = { kind: 'exact', count: 12_000, text: '12,000' } as const
  const searched = { text: 'In any column', whole }
  const html = listing({ clearHref: '/tables/strikes?x', searched })
  expect(html).toMatch(
    /In any column<\/span><a class="plain" href="\/tables\/strikes\?x">Clear search<\/a><span class="said">[^<]* of 12,000<\/span>/,
  )
})

test('no rows: why, and the way out', () => {
  const ways = [{ href: '/tables/strikes?x', label: 'Clear search' }]
  const nothing = { kind: 'no-match', title: 'Nothing matches “m”', text: 'None.', ways } as const
  const html = listing({ rows: [], nothing: { ...nothing, ways } })
  expect(html).toContain('Nothing matches “m”')
  expect(html).toContain('<a class="btn line" href="/tables/strikes?x">Clear search</a>')
})

test('sign-in posts to the server, with its token', () => {
  const html = render(
    pageOf(about('sign-in', signIn({ email: 'a@b.c', next: '/tables/x', error: 'No.' }))),
  )
  expect(html).toContain('action="/sign-in" method="post"')
  expect(html).toContain('name="_token" value="token"')
  expect(html).toContain('name="next" value="/tables/x"')
  expect(html).toContain('role="alert"')
})

test.each<PageContent>([
  about('no-tables'),
  about('sign-in', signIn({ facts: [{ label: 'a', value: 'b' }] })),
  about('link', {
    facts: [],
    action: '/l',
    ...{ title: 'a', lead: 'b', submit: 'c', asks: 'account' },
    name: '',
    email: '',
    errors: {},
  }),
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

test('breadcrumbs lead back, link where there is a page, and end with this one', () => {
  const draw = (breadcrumbs: PageData['breadcrumbs']) =>
    render({ ...pageOf(about('no-tables')), breadcrumbs })
  const demo = { label: 'demo', href: '/' }
  const html = draw([
    demo,
    { label: 'sales.eu' },
    { label: 'Orders', href: '/tables/sales.eu.orders' },
    { label: 'Order 7', href: '/never' },
  ])
  const [crumbs = ''] = /<nav class="crumbs" aria-label="Breadcrumbs">.*?<\/nav>/.exec(html) ?? []
  expect(crumbs).toContain('<li><a class="name" href="/">demo</a>')
  expect(crumbs).toContain('<li><span class="name">sales.eu</span>')
  expect(crumbs).toContain('<li class="parent"><a class="name" href="/tables/sales.eu.orders">')
  expect(crumbs).toContain('<li class="sr" aria-current="page">Order 7</li></ol>')
  expect(draw([demo, { label: 'sales' }, { label: 'x' }])).toContain(
    '<li class="parent"><a class="name" href="/">',
  )
  expect(draw([])).not.toContain('Breadcrumbs')
  // The title says it again, and is no part of the line that people see.
  const [repeated = ''] =
    /<nav class="crumbs".*?<\/nav>/.exec(
      draw([demo, { label: 'Comments', href: '/tables/comments' }]),
    ) ?? []
  expect(repeated.match(/Comments/g)).toHaveLength(1)
  expect(repeated).toContain('<li class="sr" aria-current="page">Comments</li>')
})

test.each([
  [403, 'FORBIDDEN', 'Not allowed'],
  [404, 'NOT_FOUND', 'Not found'],
  [422, 'TABLE_UNKNOWN_COLUMN', 'This address cannot be shown'],
  [503, 'BUSY', 'Something went wrong'],
] as const)('a page of status %d is headed in words', (status, code, title) => {
  const way = { href: '/', linkText: 'Start', reference: null }
  const html = render(
    pageOf(about('error', { status, code, message: 'No.', detail: 'It was “nope”.', ...way })),
  )
  expect(html).toContain(`<h1>${title}</h1>`)
  expect(html).toContain(`<p class="hint">Status ${status}</p>`)
  expect(html).toContain('<p>It was “nope”.</p>')
})

test('heads that do nothing are not buttons', () => {
  expect(listing()).toMatch(/<th[^>]*><span class="name">Species<\/span><\/th>/)
})

describe('the pages of rows', () => {
  const linked = { records: { from: 'search=m', except: [1] } }

  test('are where the first cell of a row leads to, but for those that have none', () => {
    const html = listing(linked)
    expect(html).toContain('href="/tables/strikes/records/1?from=search%3Dm"')
    expect(html).not.toContain('/records/2')
    expect(listing()).not.toContain('/records/')
  })

  test('of other tables are where their cells lead to; no link stands in another', () => {
    const columns = [
      { name: 'airport', label: 'Airport', kind: 'relation', isLabel: true, related: '/tables/b' },
      { name: 'species', label: 'Species', kind: 'relation', related: '/tables/species' },
    ] as const
    const rows: TableView['rows'] = [['1', 'Oslo', ['Oslo', 'x/y'], ['Gull', 'a b']]]
    const html = listing({ ...linked, columns: [...columns], rows })
    expect(html).toContain('<a href="/tables/species/records/a%20b">Gull</a>')
    expect(html).not.toContain('/tables/b/')
  })
})

test('a filter is a form that carries everything else along', () => {
  const filter = {
    key: 'species_id',
    params: ['filter.species_id'],
    label: 'Species',
    value: 'Gull',
  }
  const html = listing({
    filters: { ...view.filters, chips: [filter] },
    params: [...view.params, ['filter.species_id', '7']],
  })
  const chips = /<section class="chips" aria-label="Active filters">(.*?)<\/section>/.exec(
    html,
  )![1]!
  expect(chips).toContain('aria-label="Remove filter: Species Gull"')
  expect(chips).toContain('name="search"')
  expect(chips).not.toContain('filter.species_id')
})

describe('a record', () => {
  const record: RecordView = {
    table: 'strikes',
    mayDelete: false,
    mayMark: false,
    tableLabel: 'Strikes',
    label: 'Oslo <Gardermoen>',
    key: '17',
    sections: [
      {
        title: null,
        fields: [
          { name: 'a', label: 'Remarks', value: { is: 'null' } },
          { name: 'b', label: 'Effect', value: { is: 'empty' } },
          {
            name: 'c',
            label: 'Cost',
            help: 'Repairs and loss',
            unit: '$',
            value: { is: 'text', text: '0' },
          },
          { name: 'd', label: 'Species', value: { is: 'no-access' } },
          {
            name: 'e',
            label: 'Seen',
            value: { is: 'moment', iso: '2026-07-01T10:20:30.000Z', text: 'then' },
          },
        ],
      },
    ],
    related: [
      {
        label: 'Comments',
        href: '/tables/comments?filter.strike_id=17',
        list: '/tables/comments',
        count: { kind: 'counting' },
      },
    ],
    listHref: '/tables/strikes?page=2',
    next: '/tables/strikes/records/18',
    isPartial: true,
    readOnly: 'The database was opened for reading.',
  }
  const drawn = (shown: RecordView | GoneView) =>
    render({
      ...pageOf(showing('record'), [
        {
          id: 'record',
          name: 'record',
          snapshot: snapshot({ selected: [] }),
          view: JSON.parse(JSON.stringify(shown)),
        },
      ]),
      breadcrumbs: [{ label: 'demo' }, { label: 'Strikes' }, { label: 'Oslo' }],
    })

  test('has its name, its neighbours and what refers to it before script runs', () => {
    const html = drawn(record)
    expect(html).toContain(
      '<h1>Oslo &lt;Gardermoen&gt;</h1><span class="total name">Strike 17</span>',
    )
    expect(html).toMatch(/<a class="btn" href="\/tables\/strikes\?page=2">.*?Back to the list/)
    expect(html).toMatch(/<a class="btn" href="\/tables\/strikes\/records\/18" rel="next">/)
    expect(html).toMatch(
      /<a class="btn" role="link" aria-disabled="true" tabindex="-1">.*?Previous/,
    )
    expect(html).toContain(
      '<span class="name">Comments</span> <b class="needs-script">counting…</b>',
    )
    expect(html).toContain('<dt>Cost<p class="hint">Repairs and loss</p></dt>')
    expect(html).toContain('<time dateTime="2026-07-01T10:20:30.000Z">then</time>')
  })

  test('tells NULL, empty text, zero and no access apart', () => {
    const html = drawn(record)
    const values = [...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, value]) => value)
    expect(new Set(values.slice(0, 4)).size).toBe(4)
    for (const words of ['no value', 'empty text', 'No access']) expect(html).toContain(words)
  })

  test('that has gone says so, and leads back', () => {
    const html = drawn({
      table: 'strikes',
      tableLabel: 'Strikes',
      label: null,
      how: null,
      listHref: '/tables/x',
    })
    expect(html).toContain('This row has gone')
    expect(html).toContain('href="/tables/x"')
    // After the breadcrumbs, which name the table already.
    expect(html).toContain('<h1>Oslo</h1>')
  })
})

describe('a picture and a colour', () => {
  const drawn = (kind: 'image' | 'colour', cell: Cell, isDeclared = true) => {
    const loads = isDeclared && { loads: true as const }
    return listing({
      columns: [{ name: 'x', label: 'X', kind, ...loads }],
      rows: [['1', 'a', cell]],
    })
  }

  test('are drawn from what is an address and a colour', () => {
    const address = 'https://cdn.example.org/a/owl%201.png?v=2'
    expect(drawn('image', address)).toMatch(
      /<a class="picture" href="https:\/\/cdn[^"]+" target="_blank" rel="noreferrer"><img[^>]*>/,
    )
    const [picture = ''] = /<img[^>]*>/.exec(drawn('image', address)) ?? []
    for (const part of [`src="${address}"`, 'alt="owl%201.png"', 'loading="lazy"'])
      expect(picture).toContain(part)
    expect(drawn('colour', '#0B6172')).toMatch(
      /<svg class="swatch"[^>]*aria-hidden="true"><rect[^>]* fill="#0B6172"[^>]*><\/rect><\/svg>#0B6172</,
    )
  })

  test('are a link to a picture, and nothing is loaded, where the kind is a guess', () => {
    const address = 'https://cdn.example.org/owl.png'
    const html = drawn('image', address, false)
    expect(html).not.toContain('<img')
    expect(html).toMatch(
      /<a class="picture unloaded" href="https:\/\/cdn[^"]+" target="_blank" rel="noreferrer"><svg[^>]*aria-hidden="true".*?<\/svg><span class="sr">Open the picture owl.png<\/span><\/a>/,
    )
  })

  test.each([
    'http://admin.example.org:4600/sign-out',
    'https://ADMIN.example.org:4600/tables/x',
    'http://admin.example.org.:4600/',
    'http://ana@admin.example.org:4600/',
    'http://[',
  ])('are not loaded from the admin itself: %s', (address) => {
    expect(drawn('image', address)).not.toContain('<img')
  })

  test.each<Cell>([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    '/uploads/a.png',
    '//cdn.example.org/a.png',
    'owl.png',
    'https://a b',
    ['https://cdn.example.org/a.p', 300],
  ])('are no more than the text %j where it is none', (cell) => {
    expect(drawn('image', cell)).not.toContain('<img')
  })

  test.each(['red', 'url(#a)', '#12', '#12345', '#ggg', '#fff" onload="x'])(
    'are no more than the text %s where it is none',
    (text) => expect(drawn('colour', text)).not.toContain('class="swatch"'),
  )
})

test('an email address is a link, and nothing is that says more than one', () => {
  const drawn = (cell: Cell) =>
    listing({ columns: [{ name: 'x', label: 'X', kind: 'email' }], rows: [['1', 'a', cell]] })
  expect(drawn('ana@example.org')).toContain('<a href="mailto:ana@example.org">')
  for (const text of [
    'ana@example.org?cc=eve@evil.example',
    'ana@example.org,eve@evil.example',
    'no',
  ])
    expect(drawn(text)).not.toContain('mailto:')
})

test('help is told at the head of its column, and beside the title', () => {
  const columns = [
    { name: 'a', label: 'A', kind: 'text', sortValue: 'a', help: 'Of the airport.' },
    { name: 'b', label: 'B', kind: 'json', help: 'As it came.' },
    { name: 'c', label: 'C', kind: 'json' },
  ] as const
  const html = listing({
    columns: [...columns],
    rows: [['1', 'a', 'x', 'y', 'z']],
    help: 'All of them.',
  })
  expect(html).toMatch(/<th[^>]* data-help="Of the airport\."><button/)
  expect(html).toMatch(/<th[^>]* data-help="As it came\." tabindex="0">/i)
  expect(html).toMatch(
    /<button[^>]* popoverTarget="about-table"[^>]* aria-label="About this table"/i,
  )
  expect(html).toMatch(/<p id="about-table"[^>]* popover="auto">All of them\.<\/p>/)
  expect(listing()).not.toMatch(/data-help|about-table/)
})
