/** A component whose script is loaded once it is drawn; until then nothing is shown in its place. */

import type { ComponentType } from 'react'
import { loadOnce } from './load-once.ts'
import { useLoaded } from './use-loaded.ts'

export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => React.ReactNode {
  const part = loadOnce(load)
  return (props) => {
    const Part = useLoaded(part)
    return Part && <Part {...props} />
  }
}
