/** The headers of a file that somebody has brought: whatever it holds, nothing of it runs. */

import { disposition } from '../http/disposition.ts'
import { PICTURE_TYPES } from './file-types.ts'

/** Nothing runs in a file, and no other site shows it. */
export const INERT = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

/** Of a file that is handed to the page which brought it. `size`: bytes, if they are known. */
export const fileHeaders = ({
  name,
  type,
  size,
}: {
  readonly name: string
  readonly type: string
  readonly size?: number
}) => ({
  ...INERT,
  'content-type': PICTURE_TYPES.includes(type) ? type : 'application/octet-stream',
  'content-disposition': disposition('attachment', name),
  ...(size !== undefined && { 'content-length': size }),
  'cache-control': 'private, no-store',
})
