/** What is known of files that have arrived and belong to no row yet. */

export type UploadState = 'arrived' | 'finished' | 'kept'

export type UploadRecord = {
  readonly id: string
  readonly userId: string
  readonly component: string
  readonly property: string
  readonly name: string
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Of the bytes, to tell the retry of a POST from other files. */
  readonly digest: string
  /** `finished`: its ticket is used up. `kept`: it is a row's, and no longer waits for anybody. */
  readonly state: UploadState
}

export type UploadRecords = {
  /** Returns `false`, and changes nothing, if there is one of that id. */
  insert(record: UploadRecord): Promise<boolean>
  find(id: string): Promise<UploadRecord | undefined>
  /** Those that are kept stay so. */
  finish(id: string): Promise<void>
  keep(id: string): Promise<void>
  /** Returns whether this call has removed it. */
  remove(id: string): Promise<boolean>
  /** Bytes of a person's files that have not been kept. */
  bytesOf(userId: string): Promise<number>
}
