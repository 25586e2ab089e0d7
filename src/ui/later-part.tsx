/** A component whose script is loaded once it is drawn, and asked for again until it has come. */

import type { ComponentType } from 'react'
import { loadOnce } from './load-once.ts'
import { useLoaded } from './use-loaded.ts'

/** Shows nothing in its place until then, and `Missing` once it has failed to come. */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Missing?: ComponentType,
): (props: Props) => React.ReactNode {
  const part = loadOnce(load)
  return (props) => {
    const Part = useLoaded(part)
    if (Part) return <Part {...props} />
    return Part === null && Missing && <Missing />
  }
}
