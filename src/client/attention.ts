/** Tells whether a person uses the page, is idle, or has been gone for long. */

import { PRESENCE } from '../protocol/constants.ts'
import type { Environment } from './environment.ts'
import { createObservable, type Observable } from './observable.ts'

/** `idle` in the background, or after minutes without a move; `gone` after long in the background. */
export type Attention = 'awake' | 'idle' | 'gone'

export type WatchedAttention = Pick<Observable<Attention>, 'getState' | 'subscribe'> & {
  stop(): void
}

/** Whatever a person does to a page. */
const MOVES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

export function watchAttention(environment: Pick<Environment, 'later'>): WatchedAttention {
  const isHidden = () => document.hidden
  const attention = createObservable<Attention>(isHidden() ? 'idle' : 'awake')
  const stop = new AbortController()
  const options = { capture: true, passive: true, signal: stop.signal }
  /** When the person did something last, or went away. */
  let lastAt = Date.now()
  let cancel = () => {}

  /** Changes to `next` once `ms` have passed since the person did something. */
  function after(ms: number, next: Attention): void {
    cancel()
    const left = lastAt + ms - Date.now()
    if (left <= 0) return attention.setState(next)
    cancel = environment.later(() => after(ms, next), left)
  }

  function move(): void {
    lastAt = Date.now()
    if (attention.getState() === 'awake' || isHidden()) return
    attention.setState('awake')
    after(PRESENCE.idleAfterMs, 'idle')
  }

  function turn(): void {
    if (!isHidden()) return move()
    lastAt = Date.now()
    attention.setState('idle')
    after(PRESENCE.goneAfterMs, 'gone')
  }

  for (const name of MOVES) document.addEventListener(name, move, options)
  document.addEventListener('visibilitychange', turn, options)
  if (isHidden()) turn()
  else after(PRESENCE.idleAfterMs, 'idle')
  return {
    getState: attention.getState,
    subscribe: attention.subscribe,
    stop() {
      cancel()
      stop.abort()
    },
  }
}
