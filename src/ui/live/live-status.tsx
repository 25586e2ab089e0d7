/** Says whether what is shown is live, lets the person pause that, and shows what waits. */

import { useState } from 'react'
import { useConnection } from '../../react/use-channel.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { usePage, useStore } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

const HOW_ID = 'live-how'

/** Says how changes behind the admin's back are noticed. */
function HowNoticed() {
  const { realtime } = usePage()
  const { live } = useMessages()
  return (
    realtime && (
      <>
        <button type="button" className="btn icon" popoverTarget={HOW_ID} aria-label={live.how}>
          <Icon name="about" />
        </button>
        <p id={HOW_ID} className="menu words" popover="auto">
          {live.noticedBy[realtime.noticedBy]}
        </p>
      </>
    )
  )
}

/** Where rows are cards, the menu “Display” has it. */
export function LivePause() {
  const { push } = useRuntime()
  const { live } = useMessages()
  const connection = useConnection()
  const isPaused = useStore({ ...push.isPaused, getInitialState: () => false })
  if (connection === 'off') return null
  return (
    <button
      type="button"
      className={isPaused ? 'btn line pause' : 'btn pause'}
      onClick={() => push.isPaused.setState(!isPaused)}
    >
      {isPaused ? live.resume : live.pause}
    </button>
  )
}

export function LiveStatus() {
  const { push } = useRuntime()
  const { live } = useMessages()
  const connection = useConnection()
  const waits = useStore({ ...push.waits, getInitialState: () => false })
  const isPaused = useStore({ ...push.isPaused, getInitialState: () => false })
  const [isFirst, setFirst] = useState(true)
  const isSettled = connection === 'connected' || connection === 'unavailable'
  if (isFirst && isSettled) setFirst(false)
  if (connection === 'off') return null
  // Whether the first attempt succeeds is not known yet: a screen reader would read out both.
  const state = connection === 'connected' ? live.live : isFirst ? '' : live.away
  const says = isPaused ? live.paused : state
  return (
    <span
      className="live"
      data-state={isPaused ? 'paused' : connection}
      data-waits={waits || undefined}
    >
      <span role="status">{waits ? live.waits : says}</span>
      <HowNoticed />
      {waits && (
        <button type="button" className="btn line" onClick={push.catchUp}>
          {live.show}
        </button>
      )}
      <LivePause />
    </span>
  )
}
