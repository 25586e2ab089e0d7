/** Shows the failure of an update (spec §8). */

import { Suspense, use } from 'react'
import type { Failure } from '../../client/failure.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useFailure, usePage } from '../../react/use-component.ts'
import { loadOnce } from '../load-once.ts'
import type { DialogFailure, FinalFailure } from './failure-dialog.tsx'
import { Icon } from './icon.tsx'
import { useMessages } from './use-messages.ts'

/** The dialogs: an expired page, and the server's error over a dim overlay. */
export function FailureDialogs() {
  const failure = useFailure()
  if (failure?.kind !== 'expired' && failure?.kind !== 'server') return null
  return (
    <Suspense>
      <LaterDialog failure={failure} />
    </Suspense>
  )
}

/** Draws refusals: loaded when there is one, since the server can be reached then. */
export const failureDialogs = loadOnce(() => import('./failure-dialog.tsx'))

const useDialogs = () => failureDialogs.now() ?? use(failureDialogs.load())

function LaterDialog({ failure }: { failure: DialogFailure }) {
  const { failures } = useRuntime()
  const { FailureDialog } = useDialogs()
  return <FailureDialog failure={failure} onClose={() => failures.dismiss()} />
}

function LaterStripe({ failure }: { failure: FinalFailure }) {
  const { FinalStripe } = useDialogs()
  return <FinalStripe failure={failure} />
}

/** The status beside the title while the server is unreachable or busy. */
export function FailureStatus() {
  const failure = useFailure()
  const { failures } = useMessages()
  const kind = failure?.kind === 'offline' || failure?.kind === 'busy' ? failure.kind : null
  return (
    <span className={kind ? 'live off' : 'live'} role="status">
      {kind && failures[`${kind}Status`]}
    </span>
  )
}

/** The strip above the content: what is retried, or a final refusal. */
export function FailureStripe() {
  const failure = useFailure()
  if (failure?.kind === 'final')
    return (
      <Suspense>
        <LaterStripe failure={failure} />
      </Suspense>
    )
  if (failure?.kind !== 'offline' && failure?.kind !== 'busy') return null
  return <RetryStripe failure={failure} />
}

/** How many edits and calls wait while the server is unreachable or busy. */
function RetryStripe({ failure }: { failure: Extract<Failure, { waiting: number }> }) {
  const runtime = useRuntime()
  const { failures } = useMessages()
  const { locale } = usePage()
  const { waiting } = failure
  return (
    <div className="stripe">
      <Icon name="warning" />
      {failures[failure.kind]}
      <span>
        {waiting > 0 && failures.waiting({ count: waiting, text: waiting.toLocaleString(locale) })}{' '}
        {failure.kind === 'busy' ? failure.message : failures.offlineText}
      </span>
      <button type="button" className="plain" onClick={() => runtime.failures.retry()}>
        {failures.tryNow}
      </button>
    </div>
  )
}
