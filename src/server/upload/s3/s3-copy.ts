/** Copies an object within a bucket; S3 copies large ones only in parts. */

import type { Bucket } from './s3-client.ts'
import { isMissing } from './s3-failure.ts'

/** Bytes of a part: so many are copied well within the time of one answer. */
const COPY_BYTES = 1024 ** 3

/** Returns `false` if there is nothing to copy. */
export async function copyObject(
  { sdk, client, bucket, copyBytes = COPY_BYTES }: Bucket,
  from: string,
  to: string,
): Promise<boolean> {
  const { s3 } = sdk
  const source = { Bucket: bucket, Key: from }
  const target = { Bucket: bucket, Key: to }
  const CopySource = `${bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
  try {
    const head = await client.send(new s3.HeadObjectCommand(source))
    const size = head.ContentLength ?? 0
    if (size <= copyBytes) await client.send(new s3.CopyObjectCommand({ ...target, CopySource }))
    else await copyParts(head.ETag, size)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }

  async function copyParts(etag: string | undefined, size: number): Promise<void> {
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(target))
    const upload = { ...target, UploadId }
    try {
      const Parts = await Promise.all(
        Array.from({ length: Math.ceil(size / copyBytes) }, async (_, at) => {
          const end = Math.min((at + 1) * copyBytes, size) - 1
          const { CopyPartResult } = await client.send(
            new s3.UploadPartCopyCommand({
              ...{ ...upload, CopySource, CopySourceIfMatch: etag, PartNumber: at + 1 },
              CopySourceRange: `bytes=${at * copyBytes}-${end}`,
            }),
          )
          return { PartNumber: at + 1, ETag: CopyPartResult?.ETag }
        }),
      )
      await client.send(
        new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
      )
    } catch (error) {
      // What cannot be given up now is swept.
      await client.send(new s3.AbortMultipartUploadCommand(upload)).catch(() => undefined)
      throw error
    }
  }
}
