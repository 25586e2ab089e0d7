/** Parses a snapshot. */

import type { Snapshot } from '../protocol/wire.ts'

/** Parses a snapshot. The browser may read it; only the server can verify it. */
export const parseSnapshot = (snapshot: string): Snapshot =>
  // The server wrote it, so its shape is known.
  JSON.parse(snapshot) as Snapshot
