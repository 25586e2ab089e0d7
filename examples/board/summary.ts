/** How many inspections have each priority: counted only when somebody opens the panel. */

import { defineComponent } from 'tablewire'

export const summary = defineComponent({
  name: 'summary',
  state: {},
  authorize: () => true,
  mount: () => ({}),
  actions: {},
  dependsOn: ({ source }) => source.dataVersion(),
  load: async ({ source }) => ({
    data: (await source.table('inspections').facets('priority')).facets,
  }),
  view: ({ data }) => data.map(({ value, count }) => ({ priority: String(value), count })),
})
