/** An action of one's own on selected varieties: what a tasting has found, with a form of its schema. */

import { bulkAction, refuse } from 'tablewire'
import * as v from 'valibot'

type Variety = { id: number; stars: number | null; sweetness: number | null }

export const taste = bulkAction({
  label: 'Enter a tasting',
  input: v.object({
    stars: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5), v.title('Stars')),
    sweetness: v.optional(v.pipe(v.number(), v.integer(), v.title('Sweetness'))),
    replace: v.pipe(
      v.boolean(),
      v.title('Replace earlier ones'),
      v.description('Otherwise, varieties that were tasted before stay as they are.'),
    ),
  }),
  confirm: (rows) => `Enter this tasting for ${rows} varieties?`,
  per: 'row',
  async run({ key, input, source }) {
    const varieties = source.table<Variety>('varieties')
    const found = await varieties.row(key, ['stars'])
    if (!input.replace && found?.values[0] !== null) refuse('It was tasted before.')
    const set = {
      stars: input.stars,
      ...(input.sweetness !== undefined && { sweetness: input.sweetness }),
    }
    await varieties.change({ rows: [{ update: key, set }] })
  },
})
