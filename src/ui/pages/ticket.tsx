/** The layout of a page without the shell: brand, title, content, and facts beside them. */

import type { ReactNode } from 'react'
import type { Fact } from '../../protocol/admin-view.ts'
import { FactList } from '../parts/fact-list.tsx'
import { Mark } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

export function Ticket(props: { title: string; facts?: readonly Fact[]; children: ReactNode }) {
  const { shell, facts: words } = useMessages()
  const facts = props.facts ?? []
  return (
    <main className={facts.length > 0 ? 'ticket' : 'ticket alone'}>
      <div>
        <p className="brand">
          <Mark />
          {shell.product}
        </p>
        <h1>{props.title}</h1>
        {props.children}
      </div>
      {facts.length > 0 && <FactList facts={facts} label={words.title} />}
    </main>
  )
}
