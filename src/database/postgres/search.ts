/**
 * Searches for a part of a text in an order, by whichever way is the quicker one.
 *
 * Walking along the order's index is quick where many rows hold the text; finding them all first, by
 * a trigram index or a scan, and ordering them then is quick where few do. The planner cannot know
 * which, and when it walks in vain it is wrong by a factor of thousands; so where it would walk, both
 * ways are asked.
 */

import type { Run } from '../../table/row-source.ts'
import type { Value } from '../../table/value.ts'
import { race } from '../race.ts'
import type { Lane } from './server.ts'

/** How long the more likely way goes alone, ms. */
const HEAD_START_MS = 8

export type Searching = {
  /** Reads by a lane's way: rows may be walked to, searches are not. */
  read(lane: Lane, run: Run): Promise<Value[][]>
  /** Whether the planner would walk. */
  walks(): Promise<boolean>
  /** Whether an index finds the text wherever it stands. */
  readonly hasIndex: boolean
}

export async function search({ read, walks, hasIndex }: Searching, run: Run): Promise<Value[][]> {
  if (!(await walks())) return read('rows', run)
  const by = (lane: Lane) => (run: Run) => read(lane, run)
  const [first, second]: [Lane, Lane] = hasIndex ? ['search', 'rows'] : ['rows', 'search']
  return race(by(first), by(second), HEAD_START_MS, run)
}
