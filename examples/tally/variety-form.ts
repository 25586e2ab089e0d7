/** The form of a variety: its name, and how it tasted, once it has stars. */

import type { FormOptions } from 'tablewire'

type Variety = {
  id: number
  name: string
  stars: number | bigint | null
  sweetness: number | bigint | null
}

export const varietyForm: FormOptions<Variety> = {
  sections: [
    { title: 'Variety', columns: ['name'] },
    { title: 'Tasting', help: 'As it was this autumn.', columns: ['stars', 'sweetness'] },
  ],
  shown: { sweetness: ({ stars }) => stars != null },
}
