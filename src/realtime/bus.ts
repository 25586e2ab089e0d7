/** What carries messages between the nodes of one application, and remembers a little for all of them. */

export type BusListener = {
  /** What another node has sent. The bus itself vouches for nothing: anybody may have written it. */
  heard(text: string): void
  /** The bus is there again after an interruption; what was sent meanwhile is lost. */
  back(): void
}

/** Delivers at most once, and what one node sends in its order. Never throws. */
export type Bus = {
  /** Whether it works, as far as is known. */
  isUp(): boolean
  open(listener: BusListener): void
  /** Returns `false` if the text was certainly not sent. */
  send(text: string): boolean
  /** Keeps a text for all nodes for some time. */
  put(key: string, text: string, ttlMs: number): void
  /** `undefined` also where the bus does not work. */
  get(key: string): Promise<string | undefined>
  close(): Promise<void>
}
