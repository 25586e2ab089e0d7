/** Ends the steps of a change when the person goes somewhere else. */

import { useEffect } from 'react'
import { usePage } from '../../react/use-component.ts'
import type { Flow } from './flow.ts'

/** A plan is void once the person is somewhere else in the history, though they come back to it. */
export function useVoidAfterMove(flow: Flow | undefined, close: () => void): void {
  const { url } = usePage()
  useEffect(() => {
    if (!flow) return
    const end = () => {
      flow.close()
      close()
    }
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && end()
    addEventListener('pageshow', onShow)
    return () => {
      removeEventListener('pageshow', onShow)
      end()
    }
  }, [url, flow, close])
}
