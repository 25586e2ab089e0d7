/** The varieties of the orchard, read from the database on behalf of whoever looks. */

import { defineComponent } from 'tablewire'
import * as v from 'valibot'

export const varieties = defineComponent({
  name: 'varieties',
  state: {},
  authorize: () => true,
  mount: () => ({}),
  actions: {
    byStars: {
      kind: 'query',
      args: v.strictTuple([]),
      run: async ({ source }) =>
        (await source.table('varieties').facets('stars')).facets.map(({ value, count }) => ({
          stars: Number(value),
          count,
        })),
    },
  },
  dependsOn: ({ source }) => source.dataVersion(),
  async load({ source }) {
    const table = source.table('varieties')
    const [page, { count }] = await Promise.all([
      table.page({ columns: ['name'], sort: [{ column: 'stars', descending: true }], size: 1 }),
      table.count(),
    ])
    return { data: { best: page.rows[0]?.values[0] ?? null, count } }
  },
  view: ({ data }) => ({ best: String(data.best ?? ''), count: data.count }),
})
