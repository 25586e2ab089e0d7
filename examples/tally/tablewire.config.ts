/** The admin of the orchard, with a page and a kind of column of its own. */

import { defineAdmin } from 'tablewire'
import { openOrchard } from './orchard.ts'
import { rating } from './rating.ts'
import { tallyPage } from './tally-page.ts'

export default defineAdmin({
  database: openOrchard(),
  pages: [tallyPage],
  kinds: [rating],
})
