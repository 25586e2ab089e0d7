/** The browser's half: what draws each page and each kind of column of one's own. */

import { defineClient } from 'tablewire/ui'
import { rating } from './rating-view.tsx'
import { TallyPage } from './tally-view.tsx'

export default defineClient({ pages: { '/tally': TallyPage }, kinds: { rating } })
