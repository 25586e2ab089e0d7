/** Keys of a storage: the server makes them, and this holds even if it did not. */

const KEY = /^[a-z]+(?:\/[\p{L}\p{N}_-]+)+(?:\.[a-z0-9]+)?$/u

/** Ending of what is being written on a disk; a key has at most one dot, and none ends so. */
export const PART = '.part'

/** Throws `TypeError` for a text that is no key. */
export function checkKey(key: string): string {
  if (!KEY.test(key) || key.endsWith(PART)) throw new TypeError(`[${key}] is no key of a storage.`)
  return key
}
