/** A page that could not be served as asked: what it was, and where to go from here. */

import type { PageContent } from '../../protocol/page.ts'
import { usePage } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Ticket } from './ticket.tsx'

type ErrorContent = Extract<PageContent, { page: 'error' }>

/** Inside the shell where there is one, by itself before sign-in. */
export function ErrorPage(props: ErrorContent) {
  const { shell } = usePage()
  const { errorPage } = useMessages()
  const status = errorPage.status(props.status)
  if (shell === null)
    return (
      <Ticket title={props.message}>
        <p className="second">{props.detail}</p>
        <div className="stack">
          <WayOut {...props} />
          <p className="hint">{status}</p>
        </div>
      </Ticket>
    )
  return (
    <>
      <Head title={status} />
      <Blank kind="no-access" title={props.message} text={props.detail ?? ''}>
        <WayOut {...props} />
      </Blank>
    </>
  )
}

function WayOut({ href, linkText, reference }: ErrorContent) {
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
