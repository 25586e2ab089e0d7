import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type AnyChannel, defineChannel } from '../../server/channel/channel.ts'
import { defineComponent } from '../../server/component/define.ts'
import { DefinitionError, problemLines } from '../../table/definition/problems.ts'
import { page } from '../pages/page.ts'
import { assertParts, checkChannels, checkComponents, checkPages } from './check-parts.ts'

const part = (name: string) =>
  defineComponent({
    name,
    state: { count: v.number() },
    authorize: () => true,
    mount: () => ({ count: 0 }),
    actions: {},
    view: ({ state }) => state,
  })
const tally = part('tally')
const at = (path: string) => page(path, { title: 'A page' })

const told = (...pages: unknown[]) => problemLines(checkPages(pages))

describe('pages', () => {
  test('may have names in their paths, components, and sources', () => {
    const components = { left: tally.with(), right: tally.with() }
    const sources = { img: ['https:'], frame: ['https://maps.example.org'] }
    expect(told(page('/a', { title: 'A', rail: true, components, sources }))).toEqual([])
    expect(told(at('/a/:b'), at('/a/:b/c'), at('/A_1/b-2'))).toEqual([])
  })

  test.each(['', '/', 'tally', '/tally/', '//tally', '/a?b', '/a b', '/1', '/../x', '/ä'])(
    'cannot be at %j',
    (path) => {
      expect(told(at(path))).toEqual([
        `pages[0]: expected a path such as /tally or /shelves/:shelf, not [${path}].`,
      ])
    },
  )

  test.each(['/tables/x', '/you', '/sign-in', '/tablewire/a', '/healthz', '/app', '/:any'])(
    'cannot be at %s, which is the admin’s',
    (path) => expect(told(at(path))).toEqual([`pages[0]: [${path}] is a path of the admin’s own.`]),
  )

  test('cannot be at the same path, whatever its names are called', () => {
    expect(told(at('/a/:b'), at('/x'), at('/a/:c'))).toEqual([
      'pages[2]: [/a/:c] leads to pages[0] already.',
    ])
  })

  test('have the options that there are', () => {
    const wrong: object = { tilte: 'A', rial: true }
    expect(told(page('/a', wrong as { title: string }))).toEqual([
      'pages[0].tilte: there is no such option. Did you mean [title]?',
      'pages[0].rial: there is no such option. Did you mean [rail]?',
      'pages[0]: a page needs [title].',
    ])
  })

  test('are listed by a title that is always the same, at one address', () => {
    expect(told(page('/a/:b', { title: () => 'A', rail: true }))).toEqual([
      'pages[0].rail: the sidebar cannot list a path with names in it.',
      'pages[0].title: the sidebar needs a text, not a function.',
    ])
  })

  test('hold components with their parameters, and load from origins', () => {
    const wrong: object = { left: tally, shell: tally.with() }
    expect(told(page('/a', { title: 'A', components: wrong as {} }))).toEqual([
      'pages[0].components.left: expected a component with its parameters: tally.with({ … }), not an object.',
      'pages[0].components.shell: that is the name of what stands around pages.',
    ])
    const sources: object = { img: ['evil.example; script-src *'], imgs: [], media: 'https:' }
    expect(told(page('/a', { title: 'A', sources }))).toEqual([
      'pages[0].sources.img: expected a list of origins such as https://tiles.example.org, not a list.',
      'pages[0].sources.imgs: there is no such kind of source. Did you mean [img]?',
      'pages[0].sources.media: expected a list of origins such as https://tiles.example.org, not [https:].',
    ])
  })

  test('and components are what their makers make', () => {
    expect(told({ path: '/a' }, 7)).toEqual([
      'pages[0]: expected a page, as page(…) makes it, not an object.',
      'pages[1]: expected a page, as page(…) makes it, not [7].',
    ])
    expect(problemLines(checkPages({}))).toEqual([
      'pages: expected a list of pages, not an object.',
    ])
    expect(problemLines(checkComponents([tally, tally.with(), null]))).toEqual([
      'components[1]: expected a component, as defineComponent makes it, not an object.',
      'components[2]: expected a component, as defineComponent makes it, not [null].',
    ])
  })
})

describe('all that is added', () => {
  const tallyPage = page('/tally', { title: 'Tally', components: { left: tally.with() } })
  const assert = (added: Partial<Parameters<typeof assertParts>[0]>, ...pages: string[]) =>
    assertParts(
      { pages: [], components: [], channels: [], ...added },
      { pages: new Set(pages), added: { pages, kinds: [] } },
    )

  test('has no page that is called as one of the admin’s own', async () => {
    const mine = page('/mine', { name: 'list', title: 'Mine' })
    await expect(assert({ pages: [mine] }, 'list')).rejects.toThrow(
      'pages[0].name: [list] is a page of the admin’s own. Use another name.',
    )
  })

  test('is drawn by the client, and is one component by each name', async () => {
    await assert({ pages: [tallyPage], components: [tally] }, '/tally')
    await expect(assert({ pages: [tallyPage] })).rejects.toThrow(
      'pages[0]: nothing draws the page [/tally]. Name it in defineClient({ pages }) of tablewire.client.tsx, then run: tablewire build',
    )
    await expect(assert({ pages: [tallyPage] }, '/taly')).rejects.toThrow(
      'of tablewire.client.tsx, which names [/taly], then run: tablewire build',
    )
    await expect(
      assert({ pages: [tallyPage], components: [part('tally')] }, '/tally'),
    ).rejects.toThrow('pages[0].components.left: another component is called [tally] as well.')
    await expect(assert({ components: [part('list')] })).rejects.toThrow(DefinitionError)
    await expect(assert({ components: [part('list')] })).rejects.toThrow(
      'components[0]: [list] is a component of the admin’s own.',
    )
  })
})

describe('channels', () => {
  const named = (pattern: string): AnyChannel => ({
    ...defineChannel('private-x', { authorize: () => true }),
    pattern,
  })
  const told = (...patterns: string[]) => problemLines(checkChannels(patterns.map(named)))

  test('have a beginning that asks for rights, and parts', () => {
    expect(told('private-shelf.{shelf}', 'presence-room.{floor}.{room}', 'private-news')).toEqual(
      [],
    )
  })

  test.each([
    'shelf.{shelf}',
    'private-',
    'private-shelf.',
    'private-shelf.{}',
    'private-a b',
    'private-encrypted-a',
    'presence-cache-a',
  ])('cannot be called %j', (pattern) => {
    expect(told(pattern)).toEqual([
      `channels[0]: expected a name such as private-shelf.{shelf} or presence-room.{room}, not [${pattern}].`,
    ])
  })

  test('cannot be the admin’s own, nor be there twice', () => {
    expect(told('private-table.{name}', 'private-a', 'private-a')).toEqual([
      'channels[0]: [private-table.{name}] is a channel of the admin’s own. Call it something else.',
      'channels[2]: [private-a] is the name of channels[1] already.',
    ])
    expect(problemLines(checkChannels(['private-a']))).toEqual([
      'channels[0]: expected a channel, as defineChannel makes it, not [private-a].',
    ])
  })
})
