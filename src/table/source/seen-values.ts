/** Short digests of what rows held when somebody saw it, by which it is noticed that they hold something else. */

import type { KeyValues, Value } from './value.ts'

/** A row by its key, and the digest of some of its columns. */
export type SeenRow = { readonly key: KeyValues; readonly seen: number }

const FIRST = 0x811c9dc5
const PRIME = 0x01000193
/** No text has such a code. */
const [END, NULL] = [0x10000, 0x10001]

/** 32 bits of FNV-1a. Of the same values it is the same, whether a number is a bigint or not. */
export function digestOf(values: readonly Value[]): number {
  let digest = FIRST
  const add = (code: number): void => void (digest = Math.imul(digest ^ code, PRIME))
  for (const value of values) {
    if (value === null) add(NULL)
    else if (value instanceof Uint8Array) for (const byte of value) add(byte)
    else addText(String(value), add)
    add(END)
  }
  return digest >>> 0
}

function addText(text: string, add: (code: number) => void): void {
  for (let at = 0; at < text.length; at++) add(text.charCodeAt(at))
}
