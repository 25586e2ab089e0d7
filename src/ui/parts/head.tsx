/** The head of a page: where one is, its title, and what is to know about it. */

import type { ReactNode } from 'react'
import { FailureStatus, FailureStripe } from './failures.tsx'
import { useMessages } from './use-messages.ts'

export type Crumb = { label: string; href?: string }

export type HeadProps = {
  title: string
  /** The way to here, where it says more than the title. */
  crumbs?: readonly Crumb[]
  /** Beside the title. */
  beside?: ReactNode
  /** At the end of the line. */
  end?: ReactNode
}

export const Head = ({ title, crumbs = [], beside, end }: HeadProps) => (
  <>
    <header className="head">
      {crumbs.length > 0 && <Crumbs crumbs={crumbs} />}
      <h1>{title}</h1>
      {beside}
      <div className="end">
        {end}
        <FailureStatus />
      </div>
    </header>
    <FailureStripe />
  </>
)

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { shell } = useMessages()
  return (
    <nav className="crumbs" aria-label={shell.breadcrumb}>
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={label}>{href ? <a href={href}>{label}</a> : <span>{label}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}
