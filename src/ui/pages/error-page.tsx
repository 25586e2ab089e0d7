/** The error page: what went wrong, and a link to continue. */

import type { Messages } from '../../messages/messages.ts'
import type { ErrorView } from '../../protocol/admin-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Ticket } from './ticket.tsx'

/** Inside the shell if there is one, alone before sign-in. */
export function ErrorPage(props: ErrorView) {
  const { shell } = usePage()
  const { errorPage } = useMessages()
  const status = errorPage.status(props.status)
  const detail = props.detail ?? ''
  if (shell === null)
    return (
      <Ticket title={props.message}>
        <p className="second">{detail}</p>
        <div className="stack">
          <NextLink {...props} />
          <p className="hint">{status}</p>
        </div>
      </Ticket>
    )
  return (
    <>
      <Head title={errorTitle(props, errorPage)} />
      <Blank kind="no-access" title={props.message} text={detail}>
        <NextLink {...props} />
        <p className="hint">{status}</p>
      </Blank>
    </>
  )
}

function errorTitle({ status, code }: ErrorView, words: Messages['errorPage']): string {
  if (code === 'DATABASE_REFUSED') return words.refused
  if (status === 403) return words.notAllowed
  if (status === 404) return words.notFound
  return status === 400 || status === 422 ? words.notShown : words.failed
}

function NextLink({ href, linkText, reference }: ErrorView) {
  const { errorPage } = useMessages()
  return (
    <>
      <a className="btn line" href={href}>
        {linkText}
      </a>
      {reference !== null && (
        <p className="reference">
          {errorPage.reference} <code>{reference}</code>
        </p>
      )}
    </>
  )
}
