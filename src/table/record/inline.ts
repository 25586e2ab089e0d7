/** How much text a record page shows inline, without a block of its own. */

/** Most characters, and most lines. */
export const INLINE = { length: 1000, lines: 12 }
