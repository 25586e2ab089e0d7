/** A form of the page of one's own account, posted as it is: it needs no script. */

import type { ReactNode } from 'react'
import { usePage } from '../../react/use-component.ts'
import { sendOnce } from '../parts/send-once.ts'
import { useYou } from './you-words.ts'

type YouFormProps = {
  /** What it does. */
  does: string
  label?: string | undefined
  className?: string
  children: ReactNode
}

export function YouForm({ does, label, className = 'rows', children }: YouFormProps) {
  const { csrf } = usePage()
  const { view } = useYou()
  return (
    <form
      method="post"
      action={view.action}
      className={className}
      aria-label={label}
      onSubmit={sendOnce}
    >
      <input type="hidden" name="_token" value={csrf} />
      <input type="hidden" name="do" value={does} />
      {children}
    </form>
  )
}

/** The button at the end of such a form, below its fields. */
export const Submit = ({ children }: { children: ReactNode }) => (
  <p className="submit">
    <button type="submit" className="btn line">
      {children}
    </button>
  </p>
)

export const YouSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <div className="cap">
      <h2>{title}</h2>
    </div>
    {children}
  </section>
)
