/** What stands in the place of rows that are not there. */

import type { ReactNode } from 'react'

export type BlankProps = {
  /** Nothing yet, nothing that matches, nothing that may be seen. */
  kind: 'none' | 'no-match' | 'no-access'
  title: string
  text: string
  /** What to do about it. */
  children?: ReactNode
}

const RULES = { none: '', 'no-match': ' dash', 'no-access': ' hatch' }

export const Blank = ({ kind, title, text, children }: BlankProps) => (
  <div className="blank">
    <span className={`ghost-rule${RULES[kind]}`} />
    <h2>{title}</h2>
    {text && <p>{text}</p>}
    {children && <div className="do">{children}</div>}
  </div>
)
