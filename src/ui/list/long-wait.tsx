/** Says that rows take long to load, and lets the person cancel. */

import { useMessages } from '../parts/use-messages.ts'

export function LongWait({ cancel }: { cancel(): void }) {
  const { failures } = useMessages()
  return (
    <p className="long-wait" role="status">
      {failures.slow}
      <button type="button" className="btn line" onClick={cancel}>
        {failures.cancel}
      </button>
    </p>
  )
}
