/** The page with the board; its summary is read when it is wanted. */

import { page } from 'tablewire'
import { board } from './board.ts'
import { summary } from './summary.ts'

export const boardPage = page('/board', {
  title: 'Inspections',
  rail: true,
  components: { board: board.with(), summary: summary.lazy() },
})
