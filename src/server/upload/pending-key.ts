/** Keys of files that have arrived, and that nobody has kept yet. */

import type { UploadRecord } from './upload-records.ts'

export const pendingKey = ({ id, digest }: Pick<UploadRecord, 'id' | 'digest'>): string =>
  `pending/${id}-${digest}`
