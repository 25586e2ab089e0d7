import { expect, test } from 'vitest'
import { defineKind } from '../../table/definition/kind.ts'
import { problemLines } from '../../table/definition/problems.ts'
import { page } from '../pages/page.ts'
import { undrawnKinds, unknownNames } from './check-client.ts'

const pages = [page('/tally', { title: 'Tally' }), page('/x', { name: 'shelf', title: 'X' })]
const kinds = [defineKind({ name: 'rating' })]

const told = (added: { pages?: string[]; kinds?: string[] }) =>
  problemLines(unknownNames({ pages, kinds }, { pages: [], kinds: [], ...added }))

test('names of pages and kinds that the configuration has are fine', () => {
  expect(told({ pages: ['/tally', 'shelf'], kinds: ['rating'] })).toEqual([])
})

test('others are named, with those that there are and where to change them', () => {
  expect(told({ pages: ['/taly'], kinds: ['stars'] })).toEqual([
    'defineClient.pages["/taly"]: the configuration has no page called [/taly]; it has [/tally], [shelf]. Did you mean [/tally]? Change the name in tablewire.client.tsx, or add the page to `pages`.',
    'defineClient.kinds.stars: the configuration has no kind called [stars]; it has [rating]. Change the name in tablewire.client.tsx, or add the kind to `kinds`.',
  ])
  expect(
    problemLines(unknownNames({ pages: [], kinds: [] }, { pages: ['/a'], kinds: [] })),
  ).toEqual([
    'defineClient.pages["/a"]: the configuration has no page called [/a]; it has none. Change the name in tablewire.client.tsx, or add the page to `pages`.',
  ])
})

test('names of the admin’s own are replaced by nothing', () => {
  expect(told({ pages: ['list'], kinds: ['status'] })).toEqual([
    'defineClient.pages.list: [list] is a page of the admin’s own, which nothing replaces. Use another name in tablewire.client.tsx.',
    'defineClient.kinds.status: [status] is a kind of the admin’s own, which nothing replaces. Use another name in tablewire.client.tsx.',
  ])
})

test('kinds without a browser half are told in one sentence', () => {
  expect(undrawnKinds(kinds, { pages: [], kinds: ['rating'] })).toEqual([])
  expect(problemLines(undrawnKinds(kinds, { pages: [], kinds: [] }))).toEqual([
    'kinds: values are shown as text where a kind has no browser half: [rating]. To draw them, add one to defineClient({ kinds }) of tablewire.client.tsx.',
  ])
})
