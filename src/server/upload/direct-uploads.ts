/** Files that browsers put into the storage themselves: signed at the start, looked at only at the finish. */

import { randomBytes } from 'node:crypto'
import type { FileFacts, UploadAddress } from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import { isOfType, SNIFFED_BYTES } from './file-types.ts'
import { pendingKey } from './pending-key.ts'
import type { DirectPuts, Storage, Taken } from './storage.ts'
import type { UploadPlace } from './ticket.ts'
import type { UploadRecord, UploadRecords } from './upload-records.ts'

/** Where a file is put. Whoever has its address may put another one there, so nobody reads it there. */
export const directKey = (id: string): string => `direct/${id}`

/** The puts of a storage, if a page of this origin may send it these files. */
export async function directFor(
  { direct }: Storage,
  files: readonly FileFacts[],
  origin: string | undefined,
): Promise<DirectPuts | undefined> {
  const [file] = files
  if (!direct || !file || files.length > 1 || origin === undefined) return undefined
  if (file.size === 0 || file.size > direct.largest) return undefined
  return (await direct.takesFrom(origin)) ? direct : undefined
}

export async function startDirect(
  direct: DirectPuts,
  records: UploadRecords,
  { user: userId, component, property }: Omit<UploadPlace, 'lineage'>,
  file: FileFacts,
): Promise<UploadAddress> {
  const id = randomBytes(16).toString('base64url')
  const { url, headers } = await direct.sign(directKey(id), file)
  await records.insert({ ...file, id, userId, component, property, digest: '', state: 'started' })
  return { url, paths: [id], put: { headers } }
}

/**
 * Looks at a copy of what was put, which nobody can change any more. Throws `REQUEST_INVALID` if it is not
 * the file that was announced; then nothing of it is left.
 */
export async function finishDirect(
  storage: Storage,
  records: UploadRecords,
  { id, name, size, type }: UploadRecord,
): Promise<void> {
  const digest = randomBytes(32).toString('base64url')
  const copy = pendingKey({ id, digest })
  const taken = await storage.direct?.take(directKey(id), copy, SNIFFED_BYTES)
  // Another request may have finished it meanwhile.
  if (!taken && (await records.find(id))?.state !== 'started') return
  const unfit = await unfitOf(taken, { size, type })
  if (unfit) await records.remove(id)
  // A copy is of no use if its record has gone, or if another request has finished another copy.
  if (!(await records.arrive(id, digest))) await storage.remove(copy)
  // A process that dies before this leaves what is swept.
  await storage.remove(directKey(id))
  if (unfit) throw new AppError('REQUEST_INVALID', { detail: ({ upload }) => upload[unfit](name) })
}

async function unfitOf(taken: Taken | undefined, { size, type }: Pick<FileFacts, 'size' | 'type'>) {
  if (taken?.size !== size) return 'otherSize'
  if (await isOfType(type, taken.start)) return undefined
  return size === 0 ? 'empty' : 'otherBytes'
}
