/** The page with two tallies and a line of text. */

import { page } from 'tablewire'
import { tally } from './tally.ts'
import { varieties } from './varieties.ts'

export const tallyPage = page('/tally', {
  title: 'Tally',
  rail: true,
  data: { lead: 'Crates that came in today, by gate.' },
  components: {
    north: tally.with({ of: 'North gate', start: 0 }),
    south: tally.with({ of: 'South gate', start: 12 }),
    varieties: varieties.with(),
  },
})
