/** The admin of the orchard, with a page, a kind of column, a form and an action of its own. */

import { defineAdmin } from 'tablewire'
import { openOrchard } from './orchard.ts'
import { rating } from './rating.ts'
import { tallyPage } from './tally-page.ts'
import { taste } from './taste.ts'
import { varietyForm } from './variety-form.ts'

export default defineAdmin({
  database: openOrchard(),
  write: true,
  pages: [tallyPage],
  kinds: [rating],
  tables: {
    // Sweetness is shown as a number, and entered as stars are.
    varieties: {
      form: varietyForm,
      columns: { sweetness: { field: 'rating' } },
      actions: { taste },
    },
  },
})
