/** The browser half: the React components of each custom page and kind of column. */

import { defineClient } from 'tablewire/ui'
import { rating } from './rating-view.tsx'
import { TallyPage } from './tally-view.tsx'

export default defineClient({ pages: { '/tally': TallyPage }, kinds: { rating } })
