/** Where the bytes of files are: what a storage does, whichever it is. */

/** The numbers of the first and the last byte, from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

export type Storage = {
  /** Stores all of `body` under a new key, or nothing. Memory does not grow with it. */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<void>
  /** How many bytes are under a key; `undefined` if there is none. */
  size(key: string): Promise<number | undefined>
  /** The bytes under a key, or those of a range that it has; `undefined` if there is none. */
  read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Gives what is under one key another one, at once; nothing happens if it has that one. Throws if there is none. */
  move(from: string, to: string): Promise<void>
  /** Removes what is under a key, if there is anything. */
  remove(key: string): Promise<void>
  /** Removes what was put under a prefix before a time (ms since 1970), parts of broken puts included. */
  sweep(prefix: string, before: number): Promise<void>
  /** Given where browsers may put files into the storage themselves. */
  readonly direct?: DirectPuts
}

/** Files that browsers put into a storage, past this server. */
export type DirectPuts = {
  /** Where they are put, for the content security policy. */
  readonly origin: string
  /** Bytes that one such file has at most. */
  readonly largest: number
  /** Whether the storage takes files from pages of this origin; what is missing is logged. */
  takesFrom(origin: string): Promise<boolean>
  /** Signs permission to put a file of exactly this size and type under a key, for five minutes. */
  sign(key: string, file: { readonly size: number; readonly type: string }): Promise<SignedPut>
  /**
   * Copies what was put to another key, which nobody else can write; returns its size and its first bytes.
   * `undefined` if nothing was put.
   */
  take(from: string, to: string, bytes: number): Promise<Taken | undefined>
}

/** An address, and the headers that a request to it has, besides those that a browser adds. */
export type SignedPut = {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

export type Taken = { readonly size: number; readonly start: Uint8Array }
