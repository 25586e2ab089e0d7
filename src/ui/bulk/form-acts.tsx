/** The foot of a form whose changes are planned first, and what is shown while something is awaited. */

import { PROGRESS_BAR_DELAY_MS } from '../../protocol/constants.ts'
import { useDelayed } from '../../react/use-delayed.ts'
import { Icon } from '../parts/icon.tsx'
import { useBulkWords } from './use-bulk-words.ts'

type FormActsProps = {
  cancel(): void
  /** Absent while there is nothing to plan. */
  submit?: (() => void) | undefined
  isSealing?: boolean
  /** How many fields need a correction. */
  refused?: number
}

export function FormActs({ cancel, submit, isSealing = false, refused = 0 }: FormActsProps) {
  const { fields: words, plan } = useBulkWords()
  return (
    <>
      {isSealing && <Waiting text={plan.sealing} more={plan.sealingLong} />}
      <div className="acts">
        <span role="status" className={refused > 0 ? 'bad' : undefined}>
          {refused > 0 && (
            <>
              <Icon name="warning" />
              {words.refused(refused)}
            </>
          )}
        </span>
        <button type="button" className="btn tall" onClick={cancel}>
          {plan.cancel}
        </button>
        {submit && (
          <button type="button" className="btn tall main" disabled={isSealing} onClick={submit}>
            {words.review}
          </button>
        )}
      </div>
    </>
  )
}

/** After how long a wait is explained, ms. */
const LONG_MS = 2000

/** Says what is awaited, once that takes longer than a moment. */
export function Waiting({ text, more }: { text: string; more?: string }) {
  const isShown = useDelayed(true, PROGRESS_BAR_DELAY_MS)
  const isLong = useDelayed(true, LONG_MS)
  return (
    <div className={isShown ? 'waits' : 'waits early'}>
      <span className="progress" role="progressbar" aria-label={text} />
      <p role="status">
        {isShown && text} {isLong && more}
      </p>
    </div>
  )
}
