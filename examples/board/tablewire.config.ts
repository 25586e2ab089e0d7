/** The admin of the queue, with the board as a page of its own. */

import { defineAdmin } from 'tablewire'
import { boardPage } from './board-page.ts'
import { openQueue } from './queue.ts'

export default defineAdmin({ database: openQueue(), pages: [boardPage] })
