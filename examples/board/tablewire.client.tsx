/** The browser half: what the board looks like. */

import { defineClient } from 'tablewire/ui'
import { BoardPage } from './board-view.tsx'

export default defineClient({ pages: { '/board': BoardPage } })
