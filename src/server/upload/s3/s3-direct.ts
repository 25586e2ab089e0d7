/** Files that browsers put into a bucket themselves, by addresses that are signed here. */

import { Readable } from 'node:stream'
import type { DirectPuts, SignedPut } from '../storage.ts'
import { TICKET_MS } from '../ticket.ts'
import { type Bucket, createClient } from './s3-client.ts'
import { copyObject } from './s3-copy.ts'
import { createCorsCheck } from './s3-cors.ts'
import type { S3Options } from './s3-options.ts'

/** Bytes that S3 takes in one PUT. */
const LARGEST = 5 * 1024 ** 3

/** Signed, so that S3 refuses a PUT of any other size or type. */
const SIGNED_HEADERS = ['host', 'content-length', 'content-type']

export type DirectOptions = S3Options & {
  readonly prefix: string
  readonly now: () => number
  readonly log: (line: string) => void
  ask<Answer>(run: () => Promise<Answer>): Promise<Answer>
}

export async function directPuts(bucket: Bucket, options: DirectOptions): Promise<DirectPuts> {
  const { prefix, now, log, ask } = options
  const { sdk, client, bucket: name } = bucket
  const { s3, getSignedUrl } = sdk
  const sign = async (
    by: typeof client,
    key: string,
    { size, type }: { readonly size: number; readonly type: string },
  ): Promise<SignedPut> => {
    const command = new s3.PutObjectCommand({
      ...{ Bucket: name, Key: prefix + key, ContentLength: size, ContentType: type },
    })
    const url = await getSignedUrl(by, command, {
      expiresIn: TICKET_MS / 1000,
      signableHeaders: new Set(SIGNED_HEADERS),
      // The SDK learns from answers how far the clock of this machine is wrong.
      signingDate: new Date(Date.now() + by.config.systemClockOffset),
    })
    // A browser sends the length, and lets nobody set it.
    return { url, headers: { 'Content-Type': type } }
  }
  // Where files are put is known without the keys, which the SDK may have to ask somebody for.
  const anybody = createClient(sdk, { ...options, accessKeyId: 'none', secretAccessKey: 'none' })
  const { url } = await sign(anybody, 'any', { size: 0, type: 'text/plain' })
  return {
    origin: new URL(url).origin,
    largest: LARGEST,
    takesFrom: createCorsCheck({ url, bucket: name, headers: ['content-type'], now, log }),
    sign: (key, file) => ask(() => sign(client, key, file)),
    take: (from, to, bytes) =>
      ask(async () => {
        if (!(await copyObject(bucket, prefix + from, prefix + to))) return undefined
        const { Body, ContentRange = '' } = await client.send(
          new s3.GetObjectCommand({
            ...{ Bucket: name, Key: prefix + to, Range: `bytes=0-${bytes - 1}` },
          }),
        )
        const start = Body instanceof Readable ? Buffer.concat(await Body.toArray()) : Buffer.of()
        return { size: Number(ContentRange.split('/')[1]), start }
      }),
  }
}
