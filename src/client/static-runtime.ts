/** A read-only runtime, with which the server draws pages. */

import type { PageData } from '../protocol/page.ts'
import type { LiveComponent } from './component.ts'
import type { Move } from './navigation/moves.ts'
import type { Runtime } from './runtime.ts'
import { Store } from './store.ts'

const nothing = () => () => {}
const never = { getState: () => false, subscribe: nothing }
const refuse = (): never => {
  throw new Error('A page that is being drawn on the server cannot be edited or called.')
}

const FIRST_MOVE: Move = { visit: '', kind: 'load', from: null, hash: '', place: null }

/** Shows the page as it is. Nothing ever changes, and every edit or call throws. */
export function createStaticRuntime(page: PageData): Runtime {
  const components = new Map(
    page.components.map((component) => [component.id, drawOnly(new Store(component))]),
  )
  return {
    getState: () => page,
    subscribe: nothing,
    component(id) {
      const component = components.get(id)
      if (!component) throw new Error(`There is no component [${id}] on this page.`)
      return component
    },
    get environment() {
      return refuse()
    },
    failures: { getState: () => null, subscribe: nothing, dismiss: refuse, retry: refuse },
    reload: refuse,
    load: refuse,
    visit: refuse,
    move: { getState: () => FIRST_MOVE, subscribe: nothing },
    isWaiting: { getState: () => false, subscribe: nothing },
    arrive: refuse,
    push: {
      state: { getState: () => 'off', subscribe: nothing },
      waits: never,
      isPaused: { ...never, setState: refuse },
      listen: nothing,
      catchUp: refuse,
      socketId: refuse,
    },
    kept: () => new Map(),
    inTab: new Map(),
    guardLeaving: refuse,
    hasUnsaved: () => false,
  }
}

const drawOnly = ({ id, name, getState, getInitialState, waitingFor }: Store): LiveComponent => ({
  id,
  name,
  waitingFor,
  getState,
  getInitialState,
  subscribe: nothing,
  set: refuse,
  hold: refuse,
  letGo: refuse,
  call: refuse,
  ask: refuse,
  cancel: refuse,
  refresh: refuse,
  screen: refuse,
  show: refuse,
  showForNow: refuse,
  draw: refuse,
})
