/** The region “Jobs”: above the foot of a list, many of them as one line; at the top of the history, each. */

import { useCallback, useId, useRef, useState } from 'react'
import type { JobView } from '../../protocol/job-view.ts'
import { usePage } from '../../react/use-component.ts'
import { usePoll } from '../../react/use-poll.ts'
import { focusHeading } from '../parts/focus-heading.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { useIsLive } from '../use-loaded.ts'
import { JobLine } from './job-line.tsx'
import { JOBS, useHasJobs, useJobs } from './use-jobs.ts'
import { usePutAway } from './use-put-away.ts'

type Props = {
  /** Whether more than one job is a line of its own. Default: false. */
  isStrip?: boolean
}

export const JobsRegion = (props: Props) => useHasJobs() && <Region {...props} />

function Region({ isStrip = false }: Props) {
  const region = useRef<HTMLElement>(null)
  // The button that was pressed goes, and would take the focus with it.
  const focus = useCallback(() => region.current?.focus(), [])
  const { jobs: all, orders } = useJobs(focus)
  const [away, putAway] = usePutAway()
  const jobs = all.filter(({ id, result }) => result === null || !away.has(id))
  const { jobs: words } = useBulkWords()
  const isLive = useIsLive()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const put = (job: string) => {
    // Where it is the only one, the region goes with it.
    if (jobs.length > 1) focus()
    else focusHeading()
    putAway(job)
  }
  const isFolded = isStrip && jobs.length > 1
  const ended = jobs.findLast(({ result }) => result !== null)
  const isRunning = jobs.some(({ result }) => result === null)
  return (
    <>
      {/* Where nothing is live, somebody has to ask. */}
      {isRunning && !isLive && <Poll />}
      {jobs.length > 0 && (
        <section
          ref={region}
          className={isStrip ? 'jobs strip' : 'jobs'}
          aria-label={words.title}
          tabIndex={-1}
        >
          {isFolded && (
            <Folded jobs={jobs} isOpen={isOpen} list={id} toggle={() => setOpen(!isOpen)} />
          )}
          {(!isFolded || isOpen) && (
            <div id={id} className="all">
              {jobs.map((job) => (
                <JobLine key={job.id} job={job} orders={orders} putAway={put} />
              ))}
            </div>
          )}
        </section>
      )}
      <p className="sr" role="status">
        {ended && `${ended.title}: ${ended.result}`}
      </p>
    </>
  )
}

type FoldedProps = {
  jobs: readonly JobView[]
  isOpen: boolean
  /** Id of the lines. */
  list: string
  toggle(): void
}

/** How many there are, and how far they are together. */
function Folded({ jobs, isOpen, list, toggle }: FoldedProps) {
  const { jobs: words } = useBulkWords()
  const { locale } = usePage()
  const count = words.many(jobs.length.toLocaleString(locale))
  const running = jobs.filter(({ result, total }) => result === null && total !== null)
  const sum = (of: (job: JobView) => number) => running.reduce((all, job) => all + of(job), 0)
  const total = sum((job) => job.total ?? 0)
  return (
    <div className="job">
      <span className="what">
        <b>{count}</b>
      </span>
      {total > 0 && (
        <progress
          aria-label={count}
          max={total}
          value={sum((job) => Math.min(job.done, job.total ?? 0))}
        />
      )}
      <span className="do">
        <button
          type="button"
          className="btn line"
          aria-expanded={isOpen}
          aria-controls={isOpen ? list : undefined}
          onClick={toggle}
        >
          {isOpen ? words.hide : words.show}
        </button>
      </span>
    </div>
  )
}

function Poll(): null {
  usePoll(JOBS)
  return null
}
