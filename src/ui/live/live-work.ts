/** What a live list shows of others' changes, loaded after its rows. */

export { LiveRows } from './live-rows.tsx'
export { LivePause, LiveStatus } from './live-status.tsx'
