/** Types of pages and actions: the browser knows what the server defines. */

import type { FunctionComponent } from 'react'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import {
  type Actor,
  type AdminConfig,
  bulkAction,
  type BulkAction,
  defineAdmin,
  defineComponent,
  page,
  redirectTo,
  type Services,
} from '../../src/exports/index.ts'
import { type ClientDefinition, defineClient, type PageProps } from '../../src/exports/ui.ts'

const tally = defineComponent({
  name: 'tally',
  params: v.object({ start: v.number() }),
  state: { count: v.number() },
  authorize: () => true,
  mount: ({ params }) => ({ count: params.start }),
  actions: {},
  view: ({ state }) => ({ count: state.count, at: 'now' }),
})

const tallyPage = page('/tally', {
  title: 'Tally',
  data: { lead: 'Two of them.' },
  components: { left: tally.with({ start: 1 }), right: tally.with({ start: 5 }) },
})

const shelfPage = page('/shelves/:shelf/books/:book', {
  authorize({ actor }) {
    expectTypeOf(actor).toEqualTypeOf<Actor>()
    return actor.role !== 'viewer'
  },
  async open({ params, query, actor, session }) {
    expectTypeOf(params).toExtend<{ readonly shelf: string; readonly book: string }>()
    expectTypeOf(query).toEqualTypeOf<URLSearchParams>()
    expectTypeOf(actor).toEqualTypeOf<Actor>()
    expectTypeOf(session.id).toEqualTypeOf<string>()
    // @ts-expect-error There is no name `page` in the path.
    void params.page
    return params.shelf === '' ? redirectTo('/') : { pages: 300 }
  },
  data({ opened }) {
    expectTypeOf(opened).toEqualTypeOf<{ pages: number }>()
    return { pages: opened.pages, read: null as string | null }
  },
  components: ({ opened }) => ({ count: tally.with({ start: opened.pages }) }),
  title({ views, opened, params }) {
    expectTypeOf(views.count).toEqualTypeOf<{ count: number; at: string }>()
    // @ts-expect-error There is no slot `left`.
    void views.left
    return `${params.book}: ${views.count.count} of ${opened.pages}`
  },
})

describe('a page', () => {
  test('tells its React component what it is given', () => {
    type Tally = PageProps<typeof tallyPage>
    expectTypeOf<Tally['data']>().toEqualTypeOf<{ lead: string }>()
    expectTypeOf<keyof Tally['components']>().toEqualTypeOf<'left' | 'right'>()
    expectTypeOf<Tally['components']['left']>().toEqualTypeOf<string>()
    type Shelf = PageProps<typeof shelfPage>
    expectTypeOf<Shelf['data']>().toEqualTypeOf<{ pages: number; read: string | null }>()
    expectTypeOf<keyof Shelf['components']>().toEqualTypeOf<'count'>()
  })

  test('without data and components has none', () => {
    const bare = page('/bare', { title: 'Bare' })
    expectTypeOf<PageProps<typeof bare>['data']>().toEqualTypeOf<null>()
    expectTypeOf<keyof PageProps<typeof bare>['components']>().toEqualTypeOf<never>()
  })

  test('has a title, JSON as data, and components with the parameters that they take', () => {
    // @ts-expect-error It has no title.
    page('/a', {})
    // @ts-expect-error A date is not JSON.
    page('/a', { title: 'A', data: { at: new Date() } })
    // @ts-expect-error The component is without its parameters.
    page('/a', { title: 'A', components: { left: tally } })
    // @ts-expect-error `start` is a number.
    page('/a', { title: 'A', components: { left: tally.with({ start: '1' }) } })
    // @ts-expect-error There is no option `tilte`.
    page('/a', { title: 'A', tilte: 'A' })
    // @ts-expect-error Scripts come from nowhere else.
    page('/a', { title: 'A', sources: { script: ['https:'] } })
  })

  test('is drawn by a React component that takes its props', () => {
    const Shelf: FunctionComponent<PageProps<typeof shelfPage>> = ({ data }) => data.pages
    const client = defineClient({ pages: { shelf: Shelf, '/tally': () => 'a text' } })
    expectTypeOf(client).toEqualTypeOf<ClientDefinition>()
    // @ts-expect-error A text draws nothing.
    defineClient({ pages: { shelf: 'Shelf' } })
    // @ts-expect-error There is no option `page`.
    defineClient({ page: {} })
  })
})

describe('an action on rows', () => {
  const input = v.object({ reason: v.string(), amount: v.pipe(v.string(), v.transform(Number)) })

  test('is given what its schema puts out', () => {
    const refund = bulkAction({
      label: 'Refund',
      input,
      confirm: (rows) => `Refund ${rows.toFixed()}?`,
      run({ input, keys, actor, signal }) {
        expectTypeOf(input).toEqualTypeOf<{ reason: string; amount: number }>()
        expectTypeOf(actor).toEqualTypeOf<Actor>()
        expectTypeOf(keys.length).toEqualTypeOf<number>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      },
    })
    expectTypeOf(refund).toEqualTypeOf<BulkAction>()
    bulkAction({
      ...{ label: 'Remind', input, repeatable: true },
      per: 'row',
      allows: (actor) => actor.role === 'admin',
      run: (row) => {
        expectTypeOf(row.input.amount).toEqualTypeOf<number>()
        expectTypeOf(row.key.length).toEqualTypeOf<number>()
        // @ts-expect-error it is given one row at a time
        void row.keys
      },
    })
    bulkAction({
      label: 'Archive',
      run: ({ input }) => void expectTypeOf(input).toEqualTypeOf<undefined>(),
    })
  })

  test('reads and changes rows as a component does', () => {
    type Source = Parameters<Parameters<typeof bulkAction>[0]['run']>[0]['source']
    expectTypeOf<Source>().toEqualTypeOf<Services['source']>()
    bulkAction({
      label: 'Archive',
      async run({ keys, source }) {
        const orders = source.table<{ id: number; state: string }>('orders')
        const set = { state: 'archived' }
        const outcome = await orders.change({ rows: keys.map((update) => ({ update, set })) })
        expectTypeOf(outcome.status).toExtend<string>()
        // @ts-expect-error There is no such column.
        await orders.change({ rows: [{ update: [1], set: { stat: 'archived' } }] })
      },
    })
  })

  test('has a label and something to do', () => {
    // @ts-expect-error It does nothing.
    bulkAction({ label: 'Refund', input })
    // @ts-expect-error It is called nothing.
    bulkAction({ run: () => undefined })
    // @ts-expect-error That is no schema.
    bulkAction({ label: 'Refund', input: { reason: 'text' }, run: () => undefined })
  })
})

test('a configuration takes them all, and no others', () => {
  type Database = { orders: { id: number; number: string } }
  const refund = bulkAction({ label: 'Refund', run: () => undefined })
  const config = defineAdmin<Database>({
    components: [tally],
    pages: [tallyPage, shelfPage],
    client: './dist-client',
    tables: { orders: { actions: { refund }, labelColumn: 'number' } },
  })
  expectTypeOf(config).toExtend<AdminConfig>()
  // @ts-expect-error A component is no page.
  defineAdmin({ pages: [tally] })
  // @ts-expect-error A page is no component.
  defineAdmin({ components: [tallyPage] })
  // @ts-expect-error A function is no action.
  defineAdmin({ tables: { orders: { actions: { refund: () => undefined } } } })
})
