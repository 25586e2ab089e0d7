/** How long to wait before trying again: longer each time, and never all at once. */

const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Exponential back-off with full jitter. The server's own wish (`Retry-After`, ms) is a least
 * time. `attempt` is 0 for the first retry; `random` is from 0 to 1.
 */
export function retryDelay(attempt: number, wishMs: number | null, random: number): number {
  const spread = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16))
  return (wishMs ?? 0) + Math.round(spread * (0.2 + 0.8 * random))
}
