/** Provides the runtime to the React components below it. */

import { createContext, type ReactNode, useContext } from 'react'
import type { Runtime } from '../client/runtime.ts'

const RuntimeContext = createContext<Runtime | null>(null)

/** Provides `runtime` to every hook below. */
export function RuntimeProvider(props: { runtime: Runtime; children: ReactNode }) {
  return <RuntimeContext value={props.runtime}>{props.children}</RuntimeContext>
}

/** The runtime of this page. Throws outside a `RuntimeProvider`. */
export function useRuntime(): Runtime {
  const runtime = useContext(RuntimeContext)
  if (!runtime) throw new Error('No runtime. Wrap the tree in <RuntimeProvider runtime={…}>.')
  return runtime
}
