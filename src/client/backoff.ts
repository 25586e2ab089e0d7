/** How long to wait before a retry: longer each time, with a random part. */

const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Exponential back-off with jitter, added to the server's `Retry-After`. `attempt` is 0 for the first
 * retry; `random` is from 0 to 1.
 */
export function retryDelay(attempt: number, retryAfterMs: number | null, random: number): number {
  const spread = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16))
  return (retryAfterMs ?? 0) + Math.round(spread * (0.2 + 0.8 * random))
}
