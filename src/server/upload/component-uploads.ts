/** Uploads as one component sees them, on behalf of one person: `uploads` of its hooks. */

import type { FileFacts, UploadAddress, UploadedFile } from '../../protocol/upload.ts'
import type { UploadPlace } from './ticket.ts'
import type { FileHolder } from './file-records.ts'
import type { FoundUpload, Uploads } from './uploads.ts'

export type ComponentUploads = {
  /** The bytes of a file that has arrived. Throws `NOT_FOUND` if it is another person's, or gone. */
  read(file: UploadedFile): Promise<AsyncIterable<Uint8Array>>
  /**
   * Keeps a file for good, and returns its key in the storage, the same one each time. Files that nobody
   * keeps are removed after a day. Throws `NOT_FOUND` if it is another person's, or gone.
   */
  keep(file: UploadedFile): Promise<string>
}

/** What the four calls of an upload use besides. */
export type UploadCalls = ComponentUploads & {
  start(property: string, files: readonly FileFacts[]): Promise<UploadAddress>
  finish(property: string, paths: readonly string[]): Promise<UploadedFile[]>
  remove(property: string, path: string): Promise<void>
  /** A file of the property, and its key once it is kept. Throws `NOT_FOUND`. */
  find(property: string, path: string): Promise<FoundUpload>
  /** Keeps a file of the property for a column. Throws `NOT_FOUND`. */
  keepFor(property: string, path: string, holder: FileHolder): Promise<void>
  /** A row was saved with the file, so that no other one takes it. Throws `NOT_FOUND`. */
  use(property: string, path: string): Promise<void>
}

export function uploadsFor(
  uploads: Uploads | undefined,
  of: Omit<UploadPlace, 'property'>,
  origin?: string,
): UploadCalls {
  const all = (): Uploads => {
    if (uploads) return uploads
    throw new TypeError('Nothing is uploaded here: the application has no place for files.')
  }
  return {
    start: async (property, files) => all().start({ ...of, property }, files, origin),
    finish: async (property, paths) => all().finish({ ...of, property }, paths),
    remove: async (property, path) => all().remove({ ...of, property }, path),
    find: async (property, path) => all().find({ ...of, property }, path),
    use: async (property, path) => all().use({ ...of, property }, path),
    keepFor: async (property, path, holder) => all().keepFor({ ...of, property }, path, holder),
    read: async (file) => all().read(of.user, file),
    keep: async (file) => all().keep(of.user, file),
  }
}
