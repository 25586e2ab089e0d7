/** The audit trail of the strikes: who moved each report from one status to the next, and when. */

import { chance, hash, pick } from './hash.ts'
import { reviewerId } from './reporters.ts'
import type { ReporterRow } from './reporters.ts'
import { inOrder } from './rows.ts'
import type { StrikeRow } from './strikes.ts'
import { timelineOf } from './timeline.ts'
import type { Status } from './timeline.ts'

const salt = { actor: 161, noted: 165, note: 169 }

const notes: Record<Status, string[]> = {
  new: ['Received by fax.', 'Received by post.', 'Entered from the tower’s log.'],
  review: ['Asked the operator for costs.', 'Waiting for the species.', 'Checked against the log.'],
  verified: ['Species confirmed from feathers.', 'Costs confirmed.', 'Checked with the airport.'],
  closed: ['Nothing further expected.', 'Operator closed its own file.'],
  disputed: ['Operator does not accept the repair cost.', 'Airport says the strike was elsewhere.'],
}

export function strikeEventRows(strikes: StrikeRow[], reporters: ReporterRow[]) {
  const events = strikes.flatMap((strike) => eventsOf(strike, reporters))
  return events
    .toSorted((a, b) => inOrder(a.happened_at, b.happened_at))
    .map((event, index) => ({ id: index + 1, ...event }))
}

function eventsOf({ id, incident_date, reporter_id }: StrikeRow, reporters: ReporterRow[]) {
  const steps = timelineOf(id, incident_date)
  return steps.map(({ status, at }, index) => ({
    strike_id: id,
    happened_at: at,
    from_status: steps[index - 1]?.status ?? null,
    to_status: status,
    actor_id:
      index === 0
        ? reporter_id
        : reviewerId(reporters, incident_date, hash(id, salt.actor + index)),
    note: noteOf(id, status, index),
  }))
}

function noteOf(id: number, status: Status, index: number): string | null {
  if (!chance(18, id, salt.noted + index)) return null
  return pick(notes[status], hash(id, salt.note + index))
}
