/** The status of each report, and when it reached each step. All of it is invented. */

import { dayNumber, isoTimestamp } from './dates.ts'
import { hash, pick, slots } from './hash.ts'

export type Status = 'new' | 'review' | 'verified' | 'closed' | 'disputed'
type Step = { status: Status; at: string }

/** Today in the demo: a week after its last report. */
const today = '2002-08-01'

const salt = { status: 101, path: 102, gap: 103, time: 107 }

const recent = slots({ new: 28, review: 27, verified: 24, closed: 15, disputed: 6 })
const settled = slots({ new: 1, review: 3, verified: 57, closed: 37, disputed: 2 })

const paths: Record<Status, Status[][]> = {
  new: [['new']],
  review: [['new', 'review']],
  verified: [['new', 'review', 'verified']],
  closed: [
    ['new', 'review', 'closed'],
    ['new', 'review', 'verified', 'closed'],
  ],
  disputed: [['new', 'review', 'verified', 'disputed']],
}

/** The steps of a strike's report, oldest first; the last is its current status. */
export function timelineOf(id: number, incidentDate: string): Step[] {
  const incident = dayNumber(incidentDate)
  const age = dayNumber(today) - incident
  const status = pick(age < 365 ? recent : settled, hash(id, salt.status))
  // The first step comes the day after, and at most four follow within a sixth of the age each:
  // none lies in the future.
  const longest = Math.min(21, Math.floor(age / 6))
  let day = incident + 1
  return pick(paths[status], hash(id, salt.path)).map((step, index) => {
    day += hash(id, salt.gap + index) % (longest + 1)
    return { status: step, at: isoTimestamp(day, timeOfDay(id, index)) }
  })
}

/** From 7:30, every step two hours later than the one before, so that one day can hold them all. */
function timeOfDay(id: number, index: number): number {
  return 27_000 + index * 7_200 + (hash(id, salt.time + index) % 7_200)
}
