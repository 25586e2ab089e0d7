/** The people who are on the same table or record, as avatars. */

import { useEffect, useRef, useState } from 'react'
import { watchAttention } from '../../client/attention.ts'
import { type Companion, keepCompany } from '../../client/company.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { PresenceComponent, PresenceView } from '../../protocol/presence-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useConnection } from '../../react/use-channel.ts'
import { type ReactComponent, useComponent, usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import type { Describe } from '../parts/tooltip.ts'
import { useTooltip } from '../parts/use-tooltip.ts'
import { initials } from '../shell/rail-items.ts'

/** Avatars that stand side by side; of more people, one less is shown, and how many others there are. */
const AVATARS_MAX = 4

export function PresenceList() {
  const { view, call } = useComponent<PresenceComponent>('presence')
  const company = useCompany({ view, call })
  const connection = useConnection()
  // Who is here is not known then.
  if (!view || company.length === 0 || connection === 'unavailable') return null
  return <People view={view} company={company} />
}

type CompanyProps = { view: PresenceView; company: readonly Companion[] }

function People({ view, company }: CompanyProps) {
  const { locale } = usePage()
  const list = useRef<HTMLUListElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const shown = company.length > AVATARS_MAX ? company.slice(0, AVATARS_MAX - 1) : company
  const others = company.slice(shown.length).map(saysOf)
  const everybody = new Intl.ListFormat(locale, { type: 'unit' })
  useTooltip(tip, describe(everybody.format(company.map(saysOf))), list)
  const [only] = company
  return (
    <div className={view.record === null ? 'company' : 'company on-record'}>
      {view.record !== null && only && (
        <span className="says" aria-hidden="true">
          {company.length === 1 ? saysOf(only) : view.label}
        </span>
      )}
      {/* One stop for the keyboard, where a tooltip names them all. */}
      <ul ref={list} aria-label={view.label} tabIndex={0}>
        {shown.map((one) => (
          <li key={one.id}>
            <Avatar {...one} />
          </li>
        ))}
        {others.length > 0 && (
          <li>
            <span className="who" role="img" aria-label={everybody.format(others)}>
              +{others.length}
            </span>
          </li>
        )}
      </ul>
      <div ref={tip} id="company-tip" className="tip" role="tooltip" popover="manual" />
    </div>
  )
}

function Avatar(one: Companion) {
  const { name } = one.person
  return (
    <span className={one.isIdle ? 'who idle' : 'who'} role="img" aria-label={saysOf(one)}>
      {name === null ? <Icon name="person" /> : initials(name).toUpperCase()}
    </span>
  )
}

const saysOf = ({ isIdle, person }: Companion): string => (isIdle ? person.idle : person.here)

/** Each avatar has its own tip, its name; the focused list has one with all of them. */
const describe =
  (everybody: string): Describe =>
  (target) => {
    const avatar = target.closest<HTMLElement>('.who')
    if (avatar) return { owner: avatar, text: avatar.ariaLabel ?? '', note: '', isName: true }
    const list = target.closest<HTMLElement>('ul')
    return list && { owner: list, text: everybody, note: '' }
  }

/** Who else is here, while this is mounted; the person is in the channels as long. */
function useCompany({
  view,
  call,
}: Pick<ReactComponent<TypesOf<PresenceComponent>>, 'view' | 'call'>): readonly Companion[] {
  const { push, environment } = useRuntime()
  const [company, setCompany] = useState<readonly Companion[]>([])
  useEffect(() => {
    if (!view) return undefined
    const attention = watchAttention(environment)
    const kept = keepCompany({ push, channels: view, attention, people: call.people })
    const unsubscribe = kept.subscribe(() => setCompany(kept.getState()))
    return () => {
      unsubscribe()
      kept.stop()
      attention.stop()
      setCompany([])
    }
  }, [push, environment, view, call])
  return company
}
