/** Removes what is old in a bucket. */

import type { Bucket } from './s3-client.ts'

export async function sweepObjects(
  { sdk, client, bucket }: Bucket,
  prefix: string,
  before: number,
): Promise<void> {
  const { paginateListObjectsV2, DeleteObjectCommand } = sdk.s3
  const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })
  for await (const { Contents = [] } of pages)
    for (const { Key, LastModified } of Contents)
      if (isBefore(before, LastModified))
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
}

/** Parts of uploads and copies that nobody has completed; the next sweep removes what this one leaves. */
export async function sweepParts(
  { sdk, client, bucket }: Bucket,
  prefix: string,
  before: number,
): Promise<void> {
  const { ListMultipartUploadsCommand, AbortMultipartUploadCommand } = sdk.s3
  const asked = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix })
  const { Uploads = [] } = await client.send(asked)
  for (const { Key, UploadId, Initiated } of Uploads)
    if (isBefore(before, Initiated))
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
}

const isBefore = (before: number, at: Date | undefined): boolean =>
  at !== undefined && at.getTime() < before
