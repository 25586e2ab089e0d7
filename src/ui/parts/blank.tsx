/** A message in place of missing rows. */

import type { ReactNode } from 'react'
import { Shown } from './plain-text.tsx'

export type BlankProps = {
  /** No rows at all, none that match, or none that the person may see. */
  kind: 'none' | 'no-match' | 'no-access'
  title: string
  text: string
  /** What to do about it. */
  children?: ReactNode
  /** Below that. */
  more?: ReactNode
}

/** What stands for the rows; what keeps them out stands for those that do not match. */
const RULES = { none: 'ghost-rule', 'no-match': null, 'no-access': 'ghost-rule hatch' }

export const Blank = ({ kind, title, text, children, more }: BlankProps) => (
  <div className="blank">
    {RULES[kind] !== null && <span className={RULES[kind]} />}
    <h2>
      <Shown text={title} />
    </h2>
    {text && (
      <p>
        <Shown text={text} />
      </p>
    )}
    {children && <div className="do">{children}</div>}
    {more}
  </div>
)
