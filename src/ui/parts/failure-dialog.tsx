/** The dialogs of failures (spec §8), and the strip of those that are final; loaded when one is needed. */

import { useEffect, useState } from 'react'
import type { Failure, Looking, ServerFailure } from '../../client/failure.ts'
import type { PageMessages } from '../../messages/messages.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { Icon } from './icon.tsx'
import { Modal } from './modal.tsx'
import { useMessages } from './use-messages.ts'

/** Errors about something that existed when the page was drawn. */
const OUTDATED: ReadonlySet<string> = new Set(['NOT_FOUND', 'TABLE_UNKNOWN_COLUMN'])

/** What is told in a dialog. */
export type DialogFailure = Extract<Failure, { kind: 'expired' | 'server' }>

/** What is told in place. */
export type FinalFailure = Extract<Failure, { kind: 'final' }>

type DialogProps<Told> = { failure: Told; onClose(): void }

/** An expired page, or the server's error over a dim overlay. */
export function FailureDialog({ failure, onClose }: DialogProps<DialogFailure>) {
  if (failure.kind === 'server') return <ServerOverlay failure={failure} onClose={onClose} />
  return <ExpiredDialog onClose={onClose} />
}

function ExpiredDialog({ onClose }: { onClose(): void }) {
  const { failures } = useMessages()
  const { reload } = useRuntime()
  return (
    <Modal title={failures.expiredTitle} className="dialog" onClose={onClose}>
      <p className="body">{failures.expiredText}</p>
      <div className="acts">
        <button type="button" className="btn" onClick={onClose}>
          {failures.notNow}
        </button>
        <button type="button" className="btn main" onClick={reload}>
          {failures.refresh}
        </button>
      </div>
    </Modal>
  )
}

/**
 * The failure over a dimmed page: our own errors in words, anything else, such as a proxy's page, in
 * a frame without scripts.
 */
function ServerOverlay({ failure, onClose }: { failure: ServerFailure; onClose: () => void }) {
  const { reload } = useRuntime()
  const { failures, shell } = useMessages()
  const isOutdated = OUTDATED.has(failure.code)
  // A request that was refused by a rule would be refused again.
  const again = failure.status >= 500 ? failure.again : undefined
  const tryAgain = () => {
    onClose()
    again?.()
  }
  return (
    <Modal
      title={titleOf(failure, failures)}
      className={failure.html === null ? 'overlay' : 'overlay wide'}
      onClose={onClose}
    >
      <div className="body" role="alert">
        <FailureText failure={failure} isOutdated={isOutdated} />
      </div>
      <div className="acts">
        <span className="hint">
          <kbd>Esc</kbd> {failures.escCloses}
        </span>
        {failure.status >= 500 && <CopyDetails failure={failure} />}
        <button
          type="button"
          className={isOutdated || again ? 'btn' : 'btn main'}
          onClick={onClose}
        >
          {shell.close}
        </button>
        {isOutdated ? (
          <button type="button" className="btn main" onClick={reload}>
            {failures.reload}
          </button>
        ) : (
          again && (
            <button type="button" className="btn main" onClick={tryAgain}>
              {failures.tryAgain}
            </button>
          )
        )}
      </div>
    </Modal>
  )
}

function titleOf({ code, status }: ServerFailure, words: PageMessages['failures']): string {
  if (OUTDATED.has(code)) return words.changedTitle
  if (status === 403) return words.forbiddenTitle
  return status === 422 ? words.refusedTitle : words.serverTitle
}

function FailureText({ failure, isOutdated }: { failure: ServerFailure; isOutdated: boolean }) {
  const { failures } = useMessages()
  const { html, status, reference } = failure
  if (html !== null)
    return (
      <>
        <p>
          {failures.foreignText(String(status))} {failures.serverText}
        </p>
        {/* No scripts, no forms, no links out of the frame, and an origin of its own. */}
        <iframe sandbox="" srcDoc={html} title={failures.foreignPage} />
      </>
    )
  return (
    <>
      <p>
        {failureText(failure, failures)} {isOutdated ? failures.changedText : failures.serverText}
      </p>
      {reference && (
        <p className="hint">
          {failures.reference} <code>{reference}</code>
        </p>
      )}
    </>
  )
}

/** What an operator needs to find the failure in the log. */
const detailsOf = ({ code, status, message, reference }: ServerFailure): string =>
  [
    `${code} (${status})`,
    message,
    ...(reference === null ? [] : [`Reference: ${reference}`]),
    `Page: ${location.href}`,
    `Time: ${new Date().toISOString()}`,
    `Browser: ${navigator.userAgent}`,
  ].join('\n')

function CopyDetails({ failure }: { failure: ServerFailure }) {
  const { failures } = useMessages()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(detailsOf(failure))
    setCopied(true)
  }
  return (
    <>
      <button type="button" className="btn" onClick={() => void copy()}>
        {failures.copyDetails}
      </button>
      <span className="sr" role="status">
        {isCopied && failures.copied}
      </span>
    </>
  )
}

/** A refusal that asking again by itself would not change, such as a query that took too long. */
export function FinalStripe({ failure }: { failure: FinalFailure }) {
  const { failures: shown } = useRuntime()
  const { failures, shell } = useMessages()
  const [looking, setLooking] = useState<Looking | null>(null)
  const { again, keepLooking } = failure
  const tryAgain = () => {
    shown.dismiss()
    again?.()
  }
  const look = (started: Looking) => {
    setLooking(started)
    void started.done.finally(() => {
      setLooking(null)
      // It may have taken too long once more.
      if (shown.getState() === failure) shown.dismiss()
    })
  }
  if (looking) return <LookingStripe cancel={looking.cancel} />
  return (
    <div className="stripe bad" role="alert">
      <Icon name="warning" />
      <span>{failureText(failure, failures)}</span>
      {keepLooking ? (
        <button type="button" className="plain" onClick={() => look(keepLooking())}>
          {failures.keepLooking}
        </button>
      ) : (
        again && (
          <button type="button" className="plain" onClick={tryAgain}>
            {failures.tryAgain}
          </button>
        )
      )}
      <button type="button" className="plain" onClick={() => shown.dismiss()}>
        {shell.dismiss}
      </button>
    </div>
  )
}

/** How much of the time has passed: no database tells how much of the rows it has read. */
function LookingStripe({ cancel }: { cancel(): void }) {
  const { failures } = useMessages()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="stripe">
      <span role="status">{failures.looking}</span>
      <progress max={20} value={seconds} aria-label={failures.looking} />
      <button type="button" className="plain" onClick={cancel}>
        {failures.cancel}
      </button>
    </div>
  )
}

/** Puts a refusal into words: those of the browser, or those that the server sent. */
function failureText(
  { code, message }: Pick<ServerFailure, 'code' | 'message'>,
  words: PageMessages['failures'],
): string {
  const inBrowser: { readonly [code: string]: string } = words.inBrowser
  return inBrowser[code] ?? message
}

/**
 * Copies a text to the clipboard. Browsers have no `navigator.clipboard` on pages served without TLS from
 * another machine.
 */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Inside an open dialog nothing outside it can be selected.
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
