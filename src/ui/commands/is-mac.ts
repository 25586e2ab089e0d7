/** Tells whether the keyboard has a Cmd key. */

import { type Readable, useStore } from '../../react/use-component.ts'

export const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.platform)

const keyboard: Readable<boolean> = {
  subscribe: () => () => undefined,
  getState: isMac,
  getInitialState: () => false,
}

/** The same while drawing: the server does not know the keyboard, so at first it has none. */
export const useIsMac = (): boolean => useStore(keyboard)
