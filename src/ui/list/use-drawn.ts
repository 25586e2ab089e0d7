/** Finds what the page has drawn for a script that is loaded later. */

import { useStore } from '../../react/use-component.ts'

const never = () => () => undefined

/** The element with that id, looked for whenever the page is drawn; `null` while there is none. */
export const useDrawn = (id: string): HTMLElement | null =>
  useStore({
    subscribe: never,
    getState: () => document.getElementById(id),
    getInitialState: () => null,
  })
