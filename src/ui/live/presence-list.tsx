/** The people who are on the same table or record, as avatars. */

import { useEffect, useRef, useState } from 'react'
import { watchAttention } from '../../client/attention.ts'
import { type PresentPerson, joinPresence } from '../../client/presence.ts'
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
  const others = useOthers({ view, call })
  const connection = useConnection()
  // Who is here is not known then.
  if (!view || others.length === 0 || connection === 'unavailable') return null
  return <People view={view} others={others} />
}

type OthersProps = { view: PresenceView; others: readonly PresentPerson[] }

function People({ view, others }: OthersProps) {
  const { locale } = usePage()
  const list = useRef<HTMLUListElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const shown = others.length > AVATARS_MAX ? others.slice(0, AVATARS_MAX - 1) : others
  const rest = others.slice(shown.length).map(saysOf)
  const everybody = new Intl.ListFormat(locale, { type: 'unit' })
  useTooltip(tip, describe(everybody.format(others.map(saysOf))), list)
  const [only] = others
  return (
    <div className={view.record === null ? 'presence-list' : 'presence-list on-record'}>
      {view.record !== null && only && (
        <span className="says" aria-hidden="true">
          {others.length === 1 ? saysOf(only) : view.label}
        </span>
      )}
      {/* One stop for the keyboard, where a tooltip names them all. */}
      <ul ref={list} aria-label={view.label} tabIndex={0}>
        {shown.map((one) => (
          <li key={one.id}>
            <Avatar {...one} />
          </li>
        ))}
        {rest.length > 0 && (
          <li>
            <span className="who" role="img" aria-label={everybody.format(rest)}>
              +{rest.length}
            </span>
          </li>
        )}
      </ul>
      <div ref={tip} id="presence-tip" className="tip" role="tooltip" popover="manual" />
    </div>
  )
}

function Avatar(one: PresentPerson) {
  const { name } = one.person
  return (
    <span className={one.isIdle ? 'who idle' : 'who'} role="img" aria-label={saysOf(one)}>
      {name === null ? <Icon name="person" /> : initials(name).toUpperCase()}
    </span>
  )
}

const saysOf = ({ isIdle, person }: PresentPerson): string => (isIdle ? person.idle : person.here)

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
function useOthers({
  view,
  call,
}: Pick<ReactComponent<TypesOf<PresenceComponent>>, 'view' | 'call'>): readonly PresentPerson[] {
  const { push, environment } = useRuntime()
  const [others, setOthers] = useState<readonly PresentPerson[]>([])
  useEffect(() => {
    if (!view) return undefined
    const attention = watchAttention(environment)
    const joined = joinPresence({ push, channels: view, attention, people: call.people })
    const unsubscribe = joined.subscribe(() => setOthers(joined.getState()))
    return () => {
      unsubscribe()
      joined.stop()
      attention.stop()
      setOthers([])
    }
  }, [push, environment, view, call])
  return others
}
