/** A job: what it does, how far it is and how fast, and what can be done about it. */

import type { JobView } from '../../protocol/job-view.ts'
import { useUndo } from '../history/use-undo.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import type { JobOrders } from './use-jobs.ts'

type Props = { job: JobView; orders: JobOrders; putAway(id: string): void }

export function JobLine({ job, ...doing }: Props) {
  const { title, about, result, doneText, totalText, pace } = job
  return (
    <div className="job" data-state={job.state}>
      <span className="what" title={[title, about].join(' ')}>
        <b>
          <Shown text={title} />
        </b>{' '}
        <span className="about">
          <Shown text={about} />
        </span>
      </span>
      {result === null ? (
        <>
          <Bar job={job} />
          <span className="done">
            <b>{doneText}</b> {totalText}
          </span>
          <span className="pace">{pace}</span>
        </>
      ) : (
        <span className="result">
          <Icon name={job.state === 'done' ? 'done' : 'warning'} />
          <span className="text" title={result}>
            <Shown text={result} />
          </span>
          {job.left && (
            <a className="plain" href={job.left.href}>
              {job.left.text}
            </a>
          )}
        </span>
      )}
      <Acts job={job} {...doing} />
    </div>
  )
}

/** Without a value where nobody knows how far it is. */
const Bar = ({ job: { title, done, total } }: { job: JobView }) => (
  <progress
    aria-label={title}
    {...(total !== null && total > 0 && { max: total, value: Math.min(done, total) })}
  />
)

function Acts({ job, orders, putAway }: Props) {
  const { jobs: words } = useBulkWords()
  const undo = useUndo()
  const { id, title, entry, result } = job
  return (
    <span className="do">
      {job.mayPause && (
        <button
          type="button"
          className="btn"
          aria-label={words.pauseOf(title)}
          onClick={() => orders.pause(id)}
        >
          {words.pause}
        </button>
      )}
      {job.mayResume && (
        <button
          type="button"
          className="btn"
          aria-label={words.resumeOf(title)}
          onClick={() => orders.resume(id)}
        >
          {words.resume}
        </button>
      )}
      {job.mayCancel && (
        <button
          type="button"
          className="btn line"
          aria-label={words.cancelOf(title)}
          onClick={() => orders.cancel(id)}
        >
          {words.cancel}
        </button>
      )}
      {result !== null && entry !== null && (
        <button
          type="button"
          className="btn line"
          aria-label={words.undoOf(title)}
          onClick={() => void undo(entry)}
        >
          <Icon name="undo" flip />
          {words.undo}
        </button>
      )}
      {result !== null && (
        <button
          type="button"
          className="btn icon"
          aria-label={words.dismissOf(title)}
          onClick={() => putAway(id)}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  )
}
