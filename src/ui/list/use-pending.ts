/** Shows a choice at once, before the server confirms it. */

import { useState } from 'react'

/** The value to show, and what chooses another; `send` must settle with the server's answer. */
export function usePending<Value>(
  confirmed: Value,
  send: (value: Value) => Promise<unknown>,
): [shown: Value, choose: (value: Value) => void] {
  const [pending, setPending] = useState<{ value: Value } | null>(null)
  const choose = (value: Value) => {
    const choice = { value }
    setPending(choice)
    void send(value).finally(() => setPending((newest) => (newest === choice ? null : newest)))
  }
  return [pending ? pending.value : confirmed, choose]
}
