/** The head of a page: breadcrumbs, title, who else is there, and the state of the connection. */

import type { ReactNode } from 'react'
import { Presence } from '../live/presence.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { FailureStatus, FailureStripe } from './failures.tsx'
import { Shown } from './plain-text.tsx'

export type HeadProps = {
  title: string
  /** What it names is deleted. */
  isDeleted?: boolean
  /** Beside the title. */
  beside?: ReactNode
  /** At the end of the line. */
  end?: ReactNode
}

export const Head = ({ title, isDeleted, beside, end }: HeadProps) => (
  <>
    <header className="head">
      <Breadcrumbs />
      <h1>
        {isDeleted ? (
          <s>
            <Shown text={title} />
          </s>
        ) : (
          <Shown text={title} />
        )}
      </h1>
      {beside}
      <div className="end">
        {/* Where it comes and goes, nothing that can be pressed moves. */}
        <FailureStatus />
        <Presence />
        {end}
      </div>
    </header>
    <FailureStripe />
  </>
)
