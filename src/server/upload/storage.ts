/** Where the bytes of files are: what a storage does, whichever it is. */

export type Storage = {
  /** Stores all of `body` under a new key, or nothing. Memory does not grow with it. */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes under a key, from its start; `undefined` if there is none. */
  read(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Gives what is under one key another one, at once; nothing happens if it has that one. Throws if there is none. */
  move(from: string, to: string): Promise<void>
  /** Removes what is under a key, if there is anything. */
  remove(key: string): Promise<void>
  /** Removes what was put under a prefix before a time (ms since 1970), parts of broken puts included. */
  sweep(prefix: string, before: number): Promise<void>
}
