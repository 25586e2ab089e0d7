import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import type { PageData } from '../../protocol/page.ts'
import { renderDocument, scriptJson } from './document.ts'

const page: PageData = {
  title: 'Strikes · demo',
  host: 'localhost',
  url: '/tables/strikes',
  language: 'en',
  locale: 'en-GB',
  direction: 'ltr',
  csrf: 'token',
  start: '/',
  updateUrl: '/tablewire/update',
  assets: { version: 'v1' },
  preferences: { theme: 'dark', density: 'compact', railCollapsed: false },
  shell: null,
  current: null,
  breadcrumbs: [],
  content: { page: 'no-tables', data: null, components: {} },
  components: [],
}
const files = {
  script: '/a.js',
  imports: ['/shared.js'],
  styles: ['/a.css'],
  fonts: ['/a.woff2'],
  messages: { en: '/en.js', de: '/de.js' },
}
const draw = (over: Partial<PageData> = {}) =>
  renderDocument({ ...page, ...over }, files, () => '<main>Hello</main>', 'n0nce')

const HOSTILE = '</script></title><script>alert(1)</script><!--"\'&\u2028\u2029'

describe('scriptJson', () => {
  test('lets no tag begin and no line end', () => {
    const text = scriptJson({ [HOSTILE]: HOSTILE })
    expect(text).not.toMatch(/[<\u2028\u2029]/)
    expect(JSON.parse(text)).toEqual({ [HOSTILE]: HOSTILE })
  })

  test('says the same as JSON, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(scriptJson(value)).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.stringify(JSON.parse(scriptJson(value)))).toBe(JSON.stringify(value))
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('the document', () => {
  test('holds the rules that go with what is drawn, in a sheet that its policy allows', () => {
    const render = (_: PageData, rules: string[]) => (rules.push('a{--b:1}'), '')
    expect(renderDocument(page, files, render, 'n0nce')).toContain(
      '<style nonce="n0nce">a{--b:1}</style>',
    )
    expect(draw()).not.toContain('<style')
  })

  test('holds what every page needs', () => {
    const html = draw()
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr" data-theme="dark" /)
    expect(html).toContain('<meta name="csrf-token" content="token">')
    expect(html).toContain('<title>Strikes · demo</title>')
    expect(html).toContain('<div id="app"><main>Hello</main></div>')
    expect(html).toContain('<link rel="stylesheet" href="/a.css" nonce="n0nce">')
    expect(html).toContain('<script type="module" src="/a.js" nonce="n0nce"></script>')
  })

  test('asks early for the copy of its own language, and of no other', () => {
    const preload = (href: string) => `<link rel="modulepreload" href="${href}" nonce="n0nce">`
    expect(draw({ language: 'de' })).toContain(preload('/de.js'))
    expect(draw({ language: 'de' })).not.toContain('/en.js')
    expect(draw({ language: 'fr' })).not.toMatch(/\/(?:de|en)\.js/)
  })

  test('asks early for what the script imports', () => {
    expect(draw({})).toContain('<link rel="modulepreload" href="/shared.js" nonce="n0nce">')
  })

  test('carries the page as data, which the client reads back', () => {
    const [, json = ''] =
      /<script type="application\/json" id="tablewire-page">(.*)<\/script>/.exec(draw()) ?? []
    expect(JSON.parse(json)).toEqual(page)
  })

  test('has two script elements, and no script in the line, whatever stands in the page', () => {
    const html = draw({ title: HOSTILE, csrf: HOSTILE, url: HOSTILE, language: HOSTILE })
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script/g)).toHaveLength(2)
    expect(html.match(/<title>/g)).toHaveLength(1)
    expect(html.match(/<\/title>/g)).toHaveLength(1)
    expect(html).not.toContain('<!--')
  })

  test('lets no attribute end early', () => {
    const html = draw({ csrf: "\"><b onclick='x'>&", language: 'en" onload="x' })
    expect(html).toContain('content="&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;&amp;"')
    expect(html).toContain('lang="en&quot; onload=&quot;x"')
  })
})
