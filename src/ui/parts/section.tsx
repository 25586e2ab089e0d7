/** A titled section of a page, with room for controls beside its title. */

import { type ReactNode, useId } from 'react'

export type SectionProps = {
  title: string
  /** Beside the title. */
  end?: ReactNode
  children: ReactNode
}

export function Section({ title, end, children }: SectionProps) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <div className="cap">
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  )
}
