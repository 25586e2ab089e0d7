import { describe, expect, test } from 'vitest'
import { type ClickLike, isPlainClick, type LinkLike, ourAddress } from './is-ours.ts'

const click: ClickLike = {
  defaultPrevented: false,
  button: 0,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
}

describe('a click', () => {
  test('with the first button alone opens a page in place', () => {
    expect(isPlainClick(click)).toBe(true)
  })

  test.each<[string, Partial<ClickLike>]>([
    ['with the middle button', { button: 1 }],
    ['with the right button', { button: 2 }],
    ['with Alt', { altKey: true }],
    ['with Control', { ctrlKey: true }],
    ['with Command', { metaKey: true }],
    ['with Shift', { shiftKey: true }],
    ['that was handled', { defaultPrevented: true }],
  ])('%s is the browser’s', (_, over) => {
    expect(isPlainClick({ ...click, ...over })).toBe(false)
  })
})

const linkTo = (href: string, attributes: readonly string[] = [], target = ''): LinkLike => ({
  href: URL.parse(href, 'https://host.example/admin/tables/a?page=2')?.href ?? href,
  target,
  hasAttribute: (name) => attributes.includes(name),
})

const here = {
  href: 'https://host.example/admin/tables/a?page=2',
  start: '/admin/',
  updateUrl: '/admin/tablewire/update',
}

describe('a link', () => {
  test.each([
    ['/admin/tables/b', '/admin/tables/b'],
    ['/admin', '/admin'],
    ['/admin/', '/admin/'],
    ['?page=3', '/admin/tables/a?page=3'],
    ['/admin/tables/b?sort=x#rows', '/admin/tables/b?sort=x#rows'],
    ['/admin/tables/a#rows', '/admin/tables/a#rows'],
    ['?page=2', '/admin/tables/a?page=2'],
    ['//host.example/admin/account', '/admin/account'],
  ])('to %s leads to a page of ours', (href, address) => {
    expect(ourAddress(linkTo(href), here)).toBe(address)
  })

  test.each([
    ['another origin', linkTo('https://other.example/admin/tables/b')],
    ['another port', linkTo('https://host.example:8443/admin/tables/b')],
    ['another scheme', linkTo('http://host.example/admin/tables/b')],
    ['a mail address', linkTo('mailto:ana@example.org')],
    ['a script', linkTo('javascript:alert(1)')],
    ['what is no address', linkTo('https://')],
    ['the host’s own pages', linkTo('/shop')],
    ['a path that only begins like the prefix', linkTo('/administrators')],
    ['the client’s files', linkTo('/admin/tablewire/assets/a.js')],
    ['a place on this page', linkTo('#rows')],
    ['the start of this page', linkTo('#')],
    ['a new window', linkTo('/admin/tables/b', [], '_blank')],
    ['a frame', linkTo('/admin/tables/b', [], 'side')],
    ['a file to be saved', linkTo('/admin/tables/b', ['download'])],
    ['what asks for a document', linkTo('/admin/tables/b', ['data-native'])],
  ])('to %s is the browser’s', (_, link) => {
    expect(ourAddress(link, here)).toBe(null)
  })

  test('may name its own window', () => {
    expect(ourAddress(linkTo('/admin/account', [], '_self'), here)).toBe('/admin/account')
  })

  test('leads to any path where the admin has no prefix', () => {
    const root = {
      href: 'https://host.example/tables/a',
      start: '/',
      updateUrl: '/tablewire/update',
    }
    const address = ourAddress({ ...linkTo(''), href: 'https://host.example/' }, root)
    expect(address).toBe('/')
  })
})
