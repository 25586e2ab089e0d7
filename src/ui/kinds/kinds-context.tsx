/** Provides the kinds of columns to the components that draw them. */

import { createContext, type ReactNode, useContext } from 'react'
import type { ClientKinds } from './client-kind.ts'
import { BUILT_IN, joinKinds, type KindMap } from './kinds.ts'

const KindsContext = createContext<KindMap>(BUILT_IN)

/** Joins each application's kinds once, for all its pages. */
const joined = new WeakMap<ClientKinds, KindMap>()

/** Adds `kinds` to the built-in ones for everything below. */
export function KindsProvider({ kinds, children }: { kinds: ClientKinds; children: ReactNode }) {
  const all = joined.get(kinds) ?? joinKinds(kinds)
  joined.set(kinds, all)
  return <KindsContext value={all}>{children}</KindsContext>
}

/** All kinds there are, by name. */
export const useKinds = (): KindMap => useContext(KindsContext)
