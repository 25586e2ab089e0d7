/** The app of the benchmark's realtime server, and what it publishes. */

export const REALTIME_APP = { id: '1', key: 'bench', secret: 'a secret of 0123456789' }

/** A hint such as the admin sends. */
export const broadcastData = (id: number) => ({ id, table: 'orders', keys: ['4711'], version: '9' })
