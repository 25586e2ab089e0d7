/** Shows the failure of an update (spec §8). */

import type { Failure } from '../../client/failure.ts'
import type { PageMessages } from '../../messages/messages.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useFailure, usePage } from '../../react/use-component.ts'
import { Icon } from './icon.tsx'
import { Modal } from './modal.tsx'
import { useMessages } from './use-messages.ts'

/** Errors about something that existed when the page was drawn. */
const OUTDATED: ReadonlySet<string> = new Set(['NOT_FOUND', 'TABLE_UNKNOWN_COLUMN'])

type ServerFailure = Extract<Failure, { kind: 'server' }>

/** The dialogs: an expired page, and the server's error over a dim overlay. */
export function FailureDialogs() {
  const failure = useFailure()
  const { failures: shown, reload } = useRuntime()
  const dismiss = () => shown.dismiss()
  const { failures } = useMessages()
  if (failure?.kind === 'expired')
    return (
      <Modal title={failures.expiredTitle} className="dialog" onClose={dismiss}>
        <p className="body">{failures.expiredText}</p>
        <div className="acts">
          <button type="button" className="btn" onClick={dismiss}>
            {failures.notNow}
          </button>
          <button type="button" className="btn main" onClick={reload}>
            {failures.refresh}
          </button>
        </div>
      </Modal>
    )
  if (failure?.kind === 'server') return <ServerOverlay failure={failure} onClose={dismiss} />
  return null
}

/** The server's message over a dimmed page, with a button to reload an outdated page. */
function ServerOverlay({ failure, onClose }: { failure: ServerFailure; onClose: () => void }) {
  const { reload } = useRuntime()
  const { failures, shell } = useMessages()
  const isOutdated = OUTDATED.has(failure.code)
  return (
    <Modal
      title={isOutdated ? failures.changedTitle : failures.serverTitle}
      className="overlay"
      onClose={onClose}
    >
      <div className="body">
        <p>
          {inWords(failure, failures)} {isOutdated ? failures.changedText : failures.serverText}
        </p>
        {failure.reference && (
          <p className="hint">
            {failures.reference} <code>{failure.reference}</code>
          </p>
        )}
      </div>
      <div className="acts">
        <span className="hint">
          <kbd>Esc</kbd> {failures.escCloses}
        </span>
        <button type="button" className={isOutdated ? 'btn' : 'btn main'} onClick={onClose}>
          {shell.close}
        </button>
        {isOutdated && (
          <button type="button" className="btn main" onClick={reload}>
            {failures.reload}
          </button>
        )}
      </div>
    </Modal>
  )
}

function inWords({ code, message }: ServerFailure, words: PageMessages['failures']): string {
  const inBrowser: { readonly [code: string]: string } = words.inBrowser
  return inBrowser[code] ?? message
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

/** The strip that says how many edits and calls wait. */
export function FailureStripe() {
  const failure = useFailure()
  const runtime = useRuntime()
  const { failures } = useMessages()
  const { locale } = usePage()
  if (failure?.kind !== 'offline' && failure?.kind !== 'busy') return null
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
