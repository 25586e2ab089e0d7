/** What a list that follows others shows of it, loaded after its rows. */

export { LiveRows } from './live-rows.tsx'
export { LiveStatus } from './live-status.tsx'
