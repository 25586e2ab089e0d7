import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import { savedParams, type ViewSettings } from '../../protocol/saved-views.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import type { Access, Policy } from '../source/access.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { Count, RowSource } from '../source/row-source.ts'
import { createSavedViews } from './component.ts'
import { openingHref } from './opens-with.ts'
import { createViewsChannel } from './view-channel.ts'
import type { StoredView, ViewRecords } from './view-records.ts'

const strikes = tableOf([
  columnOf('id', { type: 'integer' }),
  columnOf('cost', { type: 'integer' }),
  columnOf('phase'),
])

/** Answers counts, by the condition as it is written. */
let counted: (where: string) => Count

const source = {
  describe: async () => ({ name: 'test', engine: 'none', tables: [strikes] }),
  exactVersion: async () => '1',
  count: async (_access: Access, where: Predicate) => counted(JSON.stringify(where)),
} satisfies Partial<RowSource> as unknown as RowSource

/** Readers may not see what a strike has cost. */
const policy: Policy = {
  version: '1',
  grant: ({ role }, { columns }) => ({
    actions: ['read'],
    rows: everything,
    readable: columns
      .map(({ name }) => name)
      .filter((name) => name !== 'cost' || role !== 'viewer'),
    writable: [],
  }),
}

const catalog = await createCatalog(source, policy)

const person = (id: string, role: string): Actor => ({
  ...{ id, role, name: id.toUpperCase(), email: `${id}@example.org` },
})
const [ann, bo, cy] = [person('ann', 'admin'), person('bo', 'editor'), person('cy', 'viewer')]

let stored: Map<string, StoredView>
let now: number

const records: ViewRecords = {
  of: async (table, id) =>
    [...stored.values()]
      .filter((one) => one.table === table && (one.ownerId ?? id) === id)
      .sort((a, b) => a.position - b.position),
  insert: async (view) => void stored.set(view.id, view),
  update: async (id, change) => {
    const view = stored.get(id)
    if (view) stored.set(id, { ...view, ...change })
  },
  remove: async (id) => void stored.delete(id),
}
const store = {
  ...records,
  change: <T>(work: (within: ViewRecords) => Promise<T>) => work(records),
}

const opened = (actor: Actor) =>
  testComponent(
    createSavedViews({
      ...{ store, catalog: () => catalog, channel: createViewsChannel(() => catalog) },
      ...{ source, isLive: true, newId: () => `v${stored.size + 1}`, now: () => now },
    }),
    { actor: { ...actor }, params: { table: strikes.name } },
  )

const settings = (name: string, more: Partial<ViewSettings> = {}): ViewSettings => ({
  ...{ name, isShared: false, isDefault: false, isTab: false },
  ...more,
})

const COSTLY = 'filter.cost.min=10000&sort=-cost'

beforeEach(() => {
  stored = new Map()
  now = 1
})

describe('a view', () => {
  test('is saved as the list writes its address, without its place', async () => {
    const views = await opened(bo)
    const query = 'sort=-cost&page=3&filter.cost.min=10000&view=other&search=+goose+'
    expect(await views.call.saveViewAs(settings(' Costly '), query)).toEqual({ id: 'v1' })
    expect(views.view.views).toEqual([
      {
        ...{ id: 'v1', name: 'Costly', isShared: false, isDefault: false, isTab: false },
        query: `search=goose&${COSTLY}`,
        ...{ mayChange: true, changedAt: 1 },
      },
    ])
    expect(views.view.opensWith).toBeNull()
    expect((await opened(ann)).view.views).toEqual([])
  })

  test('of another form than the list’s address is refused', async () => {
    const views = await opened(bo)
    for (const query of [
      'sort=nothing',
      'colour=red',
      'filter.cost.min=much',
      'columns=id&columns=phase',
    ])
      await expect(views.call.saveViewAs(settings('Odd'), query)).rejects.toThrow()
    await expect(
      views.call.saveViewAs(settings('Long'), `search=${'x'.repeat(20_000)}`),
    ).rejects.toThrow()
    expect(stored.size).toBe(0)
  })

  test('has a name of its own, and there are not too many', async () => {
    const views = await opened(bo)
    await views.call.saveViewAs(settings('Costly'), COSTLY)
    const refused = { isName: true, refused: expect.any(String) as string }
    for (const name of ['  ', 'cOSTLY', 'x'.repeat(81)])
      expect(await views.call.saveViewAs(settings(name), '')).toEqual(refused)
    // Another's may be called so.
    expect(await views.call.saveViewAs(settings('Costly', { isShared: true }), '')).toEqual({
      id: 'v2',
    })
    for (let at = 3; at <= 101; at++) await views.call.saveViewAs(settings(`Nr ${at}`), '')
    expect(await views.call.saveViewAs(settings('One more'), '')).toMatchObject({ isName: false })
  })

  test('is overwritten only by who has seen it', async () => {
    const views = await opened(bo)
    await views.call.saveViewAs(settings('Costly', { isShared: true }), COSTLY)
    now = 2
    expect(await (await opened(ann)).call.saveView('v1', 'sort=cost', 1)).toEqual({ id: 'v1' })
    expect(await views.call.saveView('v1', 'sort=phase', 1)).toMatchObject({ isName: false })
    expect(stored.get('v1')).toMatchObject({ query: 'sort=cost', changedAt: 2 })
  })

  test('is changed and removed only by who has seen it', async () => {
    const views = await opened(bo)
    const shared = { isShared: true }
    await views.call.saveViewAs(settings('Costly', shared), COSTLY)
    now = 2
    const other = await opened(ann)
    expect(await other.call.changeView('v1', settings('Dear', shared), 1)).toEqual({ id: 'v1' })
    const refused = {
      isName: false,
      refused: expect.stringContaining('“Dear” meanwhile') as string,
    }
    expect(await views.call.changeView('v1', settings('Cheap', shared), 1)).toEqual(refused)
    expect(await views.call.removeView('v1', 1)).toEqual(refused)
    expect(stored.get('v1')).toMatchObject({ name: 'Dear', changedAt: 2 })
    expect(await views.call.removeView('v1', 2)).toEqual({ id: 'v1' })
    expect(stored.size).toBe(0)
  })

  test('that somebody has removed is not written, which is said, and goes from the page', async () => {
    const views = await opened(bo)
    await views.call.saveViewAs(settings('Costly', { isShared: true }), COSTLY)
    await (await opened(ann)).call.removeView('v1', 1)
    const gone = { isName: false, refused: expect.stringContaining('has removed this') as string }
    expect(await views.call.saveView('v1', 'sort=cost', 1)).toEqual(gone)
    expect(views.view.views).toEqual([])
  })

  test('is told of on the channel of its table', async () => {
    const views = await opened(bo)
    await views.call.saveViewAs(settings('Costly'), COSTLY)
    expect(views.broadcasts).toEqual([
      { channel: `private-views.${strikes.name}`, name: 'changed', detail: null },
    ])
  })
})

describe('everyone’s views', () => {
  beforeEach(async () => {
    const views = await opened(bo)
    await views.call.saveViewAs(settings('Costly', { isShared: true }), `${COSTLY}&columns=id,cost`)
  })

  test('are named with who has saved them, and changed by these and by administrators', async () => {
    const theirs = await opened(cy)
    expect(theirs.view.views[0]).toMatchObject({ by: 'BO', isShared: true })
    expect(theirs.view.views[0]).not.toHaveProperty('mayChange')
    const asked = settings('Mine now', { isShared: true })
    await expect(theirs.call.changeView('v1', asked, 1)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(theirs.call.removeView('v1', 1)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(theirs.call.saveView('v1', '', 1)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await (await opened(bo)).call.changeView('v1', asked, 1)).toEqual({ id: 'v1' })
    expect(await (await opened(ann)).call.changeView('v1', asked, 1)).toEqual({ id: 'v1' })
  })

  test('say nothing of columns that their reader may not read', async () => {
    const { view } = await opened(cy)
    expect(view.views[0]).toMatchObject({ query: 'columns=id', isNarrowed: true })
    expect(JSON.stringify(view)).not.toContain('cost')
  })

  test('lose nothing of what whoever may change them does not read', async () => {
    const views = await opened({ ...bo, role: 'viewer' })
    expect(await views.call.saveView('v1', '', 1)).toMatchObject({ isName: false })
    expect(stored.get('v1')?.query).toContain('cost')
  })

  test('are tabs, and open the table for everyone, by administrators alone', async () => {
    const views = await opened(bo)
    for (const more of [{ isTab: true }, { isDefault: true }])
      await expect(
        views.call.changeView('v1', settings('Costly', { isShared: true, ...more }), 1),
      ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const admin = await opened(ann)
    const decided = { isShared: true, isTab: true, isDefault: true }
    await admin.call.changeView('v1', settings('Costly', decided), 1)
    expect((await opened(cy)).view.opensWith).toBe('v1')
    // Who saved it may rename it as it stands, but not take it away from everyone's tabs.
    expect(await views.call.changeView('v1', settings('Dear', decided), 1)).toEqual({ id: 'v1' })
    for (let at = 2; at <= 4; at++)
      await admin.call.saveViewAs(settings(`Nr ${at}`, { isShared: true, isTab: true }), '')
    expect(
      await admin.call.saveViewAs(settings('Fifth', { isShared: true, isTab: true }), ''),
    ).toMatchObject({ isName: false })
  })

  test('become nobody’s but their author’s', async () => {
    await expect((await opened(ann)).call.changeView('v1', settings('Costly'), 1)).rejects.toThrow()
    await (await opened(bo)).call.changeView('v1', settings('Costly'), 1)
    expect((await opened(ann)).view.views).toEqual([])
  })
})

describe('a table', () => {
  const href = (actor: Actor) =>
    openingHref(store, {
      ...{ actor: { ...actor }, open: catalog.open(actor, strikes.name) },
      href: '/tables/strikes',
    })

  test('opens with one view, a person’s own before everyone’s', async () => {
    expect(await href(cy)).toBeUndefined()
    const admin = await opened(ann)
    const everyone = { isShared: true, isDefault: true }
    await admin.call.saveViewAs(settings('First', everyone), 'sort=phase')
    await admin.call.saveViewAs(settings('Second', everyone), COSTLY)
    expect([...stored.values()].map(({ isDefault }) => isDefault)).toEqual([false, true])
    expect(await href(bo)).toBe(`/tables/strikes?${COSTLY}&view=v2`)
    // Without what they may not read.
    expect(await href(cy)).toBe('/tables/strikes?view=v2')
    const own = await opened(cy)
    await own.call.saveViewAs(settings('Mine', { isDefault: true }), 'sort=-phase')
    expect(await href(cy)).toBe('/tables/strikes?sort=-phase&view=v3')
    expect(own.view.opensWith).toBe('v3')
  })

  test('lists them in the order that a person gives their own, and administrators everyone’s', async () => {
    const own = await opened(bo)
    for (const name of ['A', 'B', 'C']) await own.call.saveViewAs(settings(name), '')
    await own.call.orderViews(['v3', 'v1'])
    expect(own.view.views.map(({ name }) => name)).toEqual(['C', 'A', 'B'])
    await own.call.saveViewAs(settings('D', { isShared: true }), '')
    await expect(own.call.orderViews(['v4'])).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(own.call.orderViews(['v1', 'v4'])).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(own.call.orderViews(['v9'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await own.call.removeView('v3', 1)
    expect(own.view.views.map(({ name }) => name)).toEqual(['A', 'B', 'D'])
  })
})

describe('counts', () => {
  const CLIMB = 'filter.phase.in=Climb'

  beforeEach(async () => {
    const views = await opened(bo)
    await views.call.saveViewAs(settings('Costly', { isShared: true }), COSTLY)
    await views.call.saveViewAs(settings('Climb', { isShared: true }), CLIMB)
    await views.call.saveViewAs(settings('Mine'), CLIMB)
  })

  test('are those of the rows that each view finds for its reader', async () => {
    counted = (where) => ({ kind: 'exact', count: where.includes('cost') ? 1204 : 48_213 })
    expect(await (await opened(bo)).call.countViews()).toEqual({
      ...{ all: '48,213', v1: '1,204', v2: '48,213', v3: '48,213' },
    })
    // A condition on what they may not read is left out, as it is where they open the view.
    expect(await (await opened(cy)).call.countViews()).toEqual({
      ...{ all: '48,213', v1: '48,213', v2: '48,213' },
    })
  })

  test('say of many rows only that there are more, and nothing where counting takes too long', async () => {
    counted = (where) => {
      if (where.includes('cost')) throw new AppError('QUERY_TIMEOUT')
      return { kind: where.includes('Climb') ? 'exact' : 'atLeast', count: 10_000 }
    }
    const views = await opened(bo)
    expect(await views.call.countViews()).toEqual({ all: '10,000+', v2: '10,000', v3: '10,000' })
    counted = () => ({ kind: 'estimate', count: 8400 })
    expect(await views.call.countViews()).toEqual({})
    counted = () => {
      throw new AppError('DATABASE_UNAVAILABLE')
    }
    await expect(views.call.countViews()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  })
})

test('nobody changes another’s own view, or anything while they only look', async () => {
  await (await opened(bo)).call.saveViewAs(settings('Mine'), '')
  const other = await opened(ann)
  for (const call of [
    () => other.call.removeView('v1', 1),
    () => other.call.saveView('v1', '', 1),
    () => other.call.changeView('v1', settings('Yours'), 1),
  ])
    expect(await call()).toEqual({
      refused: 'Somebody has removed this view meanwhile. Save yours as a new one.',
      isName: false,
    })
  expect(stored.get('v1')).toMatchObject({ name: 'Mine', query: '' })
  const looking = await opened({ ...bo, isLooking: true })
  await expect(looking.call.saveViewAs(settings('New'), '')).rejects.toMatchObject({
    code: 'ONLY_LOOKING',
  })
  await expect(looking.call.removeView('v1', 1)).rejects.toMatchObject({ code: 'ONLY_LOOKING' })
})

test('which view is open, and what passes, is no part of one', () => {
  const params = [
    ['search', 'goose'],
    ['left', 'plan'],
    ['reorder', 'on'],
    ['view', 'v1'],
  ] as const
  expect(savedParams(params)).toEqual([['search', 'goose']])
})
