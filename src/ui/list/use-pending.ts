/** A choice that shows at once and is confirmed by the server. */

import { useState } from 'react'

/** The value to show, and how to choose another: `send` has to settle when it is answered. */
export function usePending<Value>(
  confirmed: Value,
  send: (value: Value) => Promise<unknown>,
): [shown: Value, choose: (value: Value) => void] {
  const [wanted, setWanted] = useState<{ value: Value } | null>(null)
  const choose = (value: Value) => {
    const wish = { value }
    setWanted(wish)
    void send(value).finally(() => setWanted((newest) => (newest === wish ? null : newest)))
  }
  return [wanted ? wanted.value : confirmed, choose]
}
