/** The office's comments on strikes, invented from stock phrases. */

import { secondsAfter } from './dates.ts'
import { chance, hash, pick } from './hash.ts'
import { reviewerId } from './reporters.ts'
import type { ReporterRow } from './reporters.ts'
import { inOrder } from './rows.ts'
import type { StrikeRow } from './strikes.ts'
import { timelineOf } from './timeline.ts'
import type { Status } from './timeline.ts'

const salt = { any: 201, author: 210, delay: 220, opening: 230, closing: 240 }

/** How many of a hundred strikes have a first comment, and of those a second and a third. */
const share: Record<Status, number> = { new: 8, review: 45, verified: 12, closed: 14, disputed: 92 }

const openings = [
  'Spoke to the station manager; the aircraft was swapped and the flight left two hours late.',
  'The operator’s form and the tower’s report give different speeds. I kept the operator’s.',
  'Two forms came in for the same event; the other one names a different runway.',
  'The repair invoice is in francs and was converted at the rate of that day.',
  'No remains were collected, so the species is the crew’s guess.',
  'The lab answered: the barbules point to a dove, but not to which.',
  'Maintenance says the dent was there before and belongs to an older strike.',
  'The airport asks to see our figures before it changes the mowing plan.',
]
const closings = [
  'Leaving it open until the end of the month.',
  'I would close this.',
  'Please look at the cost again before anyone signs it.',
  'Asked for photographs a second time.',
  'Compare the strike of the week before at the same runway.',
  'Nothing more to do from our side.',
]

export function commentRows(strikes: StrikeRow[], reporters: ReporterRow[]) {
  return strikes
    .flatMap((strike) => [0, 1, 2].flatMap((turn) => commentOf(strike, turn, reporters) ?? []))
    .toSorted((a, b) => inOrder(a.written_at, b.written_at))
    .map((comment, index) => ({ id: index + 1, ...comment }))
}

function commentOf({ id, incident_date, status }: StrikeRow, turn: number, people: ReporterRow[]) {
  // One hash for all, so that a strike with a third comment has the first two.
  if (!chance(share[status] / 2 ** turn, id, salt.any)) return null
  return {
    strike_id: id,
    author_id: reviewerId(people, incident_date, hash(id, salt.author + turn)),
    written_at: writtenAt(id, incident_date, turn),
    body: bodyOf(id, turn),
  }
}

/** Within the hour after one of the steps that the report went through. */
function writtenAt(id: number, incidentDate: string, turn: number): string {
  const step = pick(timelineOf(id, incidentDate), turn + 1)
  return secondsAfter(step.at, hash(id, salt.delay + turn) % 3_600)
}

function bodyOf(id: number, turn: number): string {
  const opening = pick(openings, hash(id, salt.opening) + turn)
  const closing = pick(closings, hash(id, salt.closing + turn))
  return `${opening} ${closing}`
}
