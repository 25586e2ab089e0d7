/**
 * Searches for a part of a text in an order, by whichever way is the quicker one.
 *
 * Walking along the order's index is quick where many rows hold the text; finding them all first, by
 * a trigram index or a scan, and ordering them then is quick where few do. The planner cannot know
 * which, and when it walks in vain it is wrong by a factor of thousands; so where it would walk, both
 * ways are asked.
 */

import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { briefly, race, type Way } from '../query/race.ts'
import { timeFor } from '../table-time.ts'
import type { Lane } from './server.ts'

/** How long the more likely way goes alone, ms: for a million rows, and in all. */
const HEAD_START_MS = { aMillion: 50, least: 8, most: 400 }
/** How long a walk goes at all: a scan beside it has fewer cores. */
const WALK_MS = { aMillion: 150, least: 100, most: 1000 }

export type Searching = {
  /** Reads by a lane's way: rows may be walked to, searches are not. */
  read(lane: Lane, run: Run): Promise<Value[][]>
  /** Whether the planner would walk. */
  walks(): Promise<boolean>
  /** Whether an index finds the text wherever it stands. */
  readonly hasIndex: boolean
  /** Rows of the table, as far as anybody knows. */
  readonly rows: number | null
}

export async function search(
  { read, walks, hasIndex, rows }: Searching,
  run: Run,
): Promise<Value[][]> {
  if (!(await walks())) return read('rows', run)
  const by =
    (lane: Lane): Way<Value[][]> =>
    (run) =>
      read(lane, run)
  const walk = briefly(by('rows'), timeFor(rows, WALK_MS))
  const find = by('search')
  const [first, second] = hasIndex ? [find, walk] : [walk, find]
  return race(first, second, timeFor(rows, HEAD_START_MS), run)
}
