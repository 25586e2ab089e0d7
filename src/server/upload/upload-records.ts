/** What is known of files that have arrived and belong to no row yet. */

export type UploadState = 'started' | 'arrived' | 'finished' | 'kept' | 'used'

export type UploadRecord = {
  readonly id: string
  readonly userId: string
  readonly component: string
  readonly property: string
  readonly name: string
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Of the bytes, to tell the retry of a POST from other files; of one that was put into the storage, random. */
  readonly digest: string
  /**
   * `started`: it may have been put into the storage, where nobody has looked. `finished`: its ticket is used up.
   * `kept`: it has its key for good, and no longer waits for anybody. `used`: a row was saved with it.
   */
  readonly state: UploadState
}

export type UploadRecords = {
  /** Returns `false`, and changes nothing, if there is one of that id. */
  insert(record: UploadRecord): Promise<boolean>
  find(id: string): Promise<UploadRecord | undefined>
  /** Finishes a file that was put into the storage. Returns whether it had not been finished before. */
  arrive(id: string, digest: string): Promise<boolean>
  /** Those that are kept stay so. */
  finish(id: string): Promise<void>
  keep(id: string): Promise<void>
  use(id: string): Promise<void>
  /** Returns whether this call has removed it. */
  remove(id: string): Promise<boolean>
  /** Bytes of a person's files that have not been kept. */
  bytesOf(userId: string): Promise<number>
}
