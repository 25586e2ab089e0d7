/** Puts a stream into a bucket in parts, because S3 wants to know the length of each beforehand. */

import type { CompletedPart } from '@aws-sdk/client-s3'
import type { Bucket } from './s3-client.ts'

/** Bytes of a part, the fewest that S3 takes: memory holds one for each file on its way. */
const PART_BYTES = 5 * 1024 ** 2

/** What is short enough is put at once. If it fails, nothing of it stays but what cannot be given up now. */
export async function putObject(
  { sdk, client, bucket }: Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { s3 } = sdk
  const target = { Bucket: bucket, Key: key }
  const done: CompletedPart[] = []
  let UploadId: string | undefined
  try {
    for await (const { bytes: Body, isLast } of partsOf(body)) {
      if (isLast && done.length === 0)
        return void (await client.send(new s3.PutObjectCommand({ ...target, Body })))
      UploadId ??= (await client.send(new s3.CreateMultipartUploadCommand(target))).UploadId
      const part = { ...target, UploadId, PartNumber: done.length + 1 }
      const { ETag } = await client.send(new s3.UploadPartCommand({ ...part, Body }))
      done.push({ PartNumber: part.PartNumber, ETag })
    }
    await client.send(
      new s3.CompleteMultipartUploadCommand({
        ...{ ...target, UploadId, MultipartUpload: { Parts: done } },
      }),
    )
  } catch (error) {
    if (UploadId !== undefined)
      await client
        .send(new s3.AbortMultipartUploadCommand({ ...target, UploadId }))
        .catch(() => undefined)
    throw error
  }
}

/** All of them share their memory: one is sent before the next one is asked for. */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  const part = Buffer.allocUnsafeSlow(PART_BYTES)
  let filled = 0
  for await (const piece of body) {
    for (let rest = piece; rest.byteLength > 0;) {
      if (filled === PART_BYTES) {
        yield { bytes: part, isLast: false }
        filled = 0
      }
      const taken = rest.subarray(0, PART_BYTES - filled)
      part.set(taken, filled)
      filled += taken.byteLength
      rest = rest.subarray(taken.byteLength)
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true }
}
