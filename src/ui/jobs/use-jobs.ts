/** The jobs of a page, and what can be asked of them. */

import { useMemo } from 'react'
import type { JobOrder, JobsComponent } from '../../protocol/job-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useNotify } from '../parts/toasts.tsx'

/** The id of their component on a page. */
export const JOBS = 'jobs'

/** Each tells what became of it. */
export type JobOrders = {
  pause(id: string): void
  resume(id: string): void
  cancel(id: string): void
}

/** Whether the page shows jobs. */
export const useHasJobs = (): boolean => usePage().components.some(({ id }) => id === JOBS)

/** `after`: called once an order was taken, whose button goes. */
export function useJobs(after: () => void) {
  const { view, call } = useComponent<JobsComponent>(JOBS)
  const notify = useNotify()
  const orders = useMemo((): JobOrders => {
    const send = (order: Promise<JobOrder>) =>
      void order.then(
        ({ isDone, text }) => {
          notify(text)
          if (isDone) after()
        },
        // The page's failure display says what went wrong.
        () => undefined,
      )
    return {
      pause: (id) => send(call.pauseJob(id)),
      resume: (id) => send(call.resumeJob(id)),
      cancel: (id) => send(call.cancelJob(id)),
    }
  }, [call, notify, after])
  return { jobs: view.jobs, orders }
}
