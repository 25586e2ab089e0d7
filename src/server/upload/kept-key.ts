/** Keys of files that are kept for good. */

import { endingOf } from './file-types.ts'
import type { UploadRecord } from './upload-records.ts'

/** The same one each time, so that a file can be kept again after a failure. */
export const keptKey = ({
  id,
  digest,
  type,
}: Pick<UploadRecord, 'id' | 'digest' | 'type'>): string =>
  `kept/${digest.slice(0, 2)}/${id}.${endingOf(type)}`
