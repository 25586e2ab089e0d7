/** A page that could not be served as asked: what it was, and where to go from here. */

import type { PageContent } from '../../protocol/page.ts'
import { useMessages } from '../parts/use-messages.ts'
import { Ticket } from './ticket.tsx'

export function ErrorPage(props: Extract<PageContent, { page: 'error' }>) {
  const { errorPage } = useMessages()
  return (
    <Ticket title={props.message} status={errorPage.status(props.status)}>
      {props.detail !== null && <p className="detail">{props.detail}</p>}
      <p className="do">
        <a className="btn line tall" href={props.href}>
          {props.linkText}
        </a>
      </p>
      {props.reference !== null && (
        <p className="hint">
          {errorPage.reference} <code>{props.reference}</code>
        </p>
      )}
    </Ticket>
  )
}
