/** Lets the server keep the HTML of parts that are the same on most pages. */

import { createContext, type ReactElement } from 'react'
import type { PageMessages } from '../../messages/messages.ts'

/**
 * The HTML of what `make` makes; drawn once for each `key` and language. `key` tells all that the part
 * shows, and the part may use no context but the messages.
 */
export type KeptMarkup = (messages: PageMessages, key: string, make: () => ReactElement) => string

/** `null` in the browser, which hydrates what the server drew. */
export const KeptMarkupContext = createContext<KeptMarkup | null>(null)

/** `draw`: the HTML of an element in that language. After `limit` parts of one, all are forgotten. */
export function keepMarkup(
  draw: (element: ReactElement, messages: PageMessages) => string,
  limit: number,
): KeptMarkup {
  const byMessages = new WeakMap<PageMessages, Map<string, string>>()
  return (messages, key, make) => {
    const kept = byMessages.get(messages) ?? new Map<string, string>()
    byMessages.set(messages, kept)
    const before = kept.get(key)
    if (before !== undefined) return before
    if (kept.size >= limit) kept.clear()
    const html = draw(make(), messages)
    kept.set(key, html)
    return html
  }
}
