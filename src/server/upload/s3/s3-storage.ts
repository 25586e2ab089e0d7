/** Files in a bucket of S3, or of a server that speaks its protocol. */

import { Readable } from 'node:stream'
import { AppError } from '../../app-error.ts'
import { checkKey } from '../storage-key.ts'
import type { Storage } from '../storage.ts'
import { createClient, loadSdk } from './s3-client.ts'
import { copyObject } from './s3-copy.ts'
import { directPuts } from './s3-direct.ts'
import { failureOf, isMissing } from './s3-failure.ts'
import type { S3Options } from './s3-options.ts'
import { putObject } from './s3-put.ts'
import { sweepObjects, sweepParts } from './s3-sweep.ts'

/** Keeps what is ours apart in a bucket that holds other things, because it is swept. */
const DEFAULT_PREFIX = 'tablewire/'

export type S3StorageOptions = S3Options & {
  readonly now: () => number
  readonly log: (line: string) => void
  /** Bytes that are copied at once. Default: as many as S3 copies in good time. */
  readonly copyBytes?: number
  /** How long an answer may take, ms. Default: a minute. */
  readonly answerMs?: number
}

/** Loads the SDK, and throws one sentence if it is missing. Asks the bucket for nothing yet. */
export async function createS3Storage(options: S3StorageOptions): Promise<Storage> {
  const { bucket, prefix = DEFAULT_PREFIX, direct = true, copyBytes } = options
  const sdk = await loadSdk()
  const client = createClient(sdk, options)
  const place = { sdk, client, bucket, copyBytes }
  const { s3 } = sdk
  const objectOf = (key: string) => ({ Bucket: bucket, Key: prefix + checkKey(key) })
  /** Runs what asks the bucket, and gives its failures their names. */
  const ask = <Answer>(run: () => Promise<Answer>): Promise<Answer> =>
    run().catch((error: unknown) => {
      throw failureOf(error, bucket)
    })
  const remove = async (key: string) => {
    await client.send(new s3.DeleteObjectCommand(objectOf(key)))
  }
  return {
    async put(key, body) {
      const seen = watched(body)
      await putObject(place, objectOf(key).Key, seen.body).catch((error: unknown) => {
        throw seen.error() ?? failureOf(error, bucket)
      })
    },
    async size(key) {
      const command = new s3.HeadObjectCommand(objectOf(key))
      const found = await ask(() => client.send(command).catch(orMissing))
      return found && (found.ContentLength ?? 0)
    },
    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const command = new s3.GetObjectCommand({ ...objectOf(key), Range })
      const found = await ask(() => client.send(command).catch(orMissing))
      return found?.Body instanceof Readable ? found.Body : undefined
    },
    async move(from, to) {
      const [source, target] = [objectOf(from), objectOf(to)]
      await ask(async () => {
        if (await copyObject(place, source.Key, target.Key)) return remove(from)
        const there = await client.send(new s3.HeadObjectCommand(target)).catch(orMissing)
        if (!there) throw new AppError('NOT_FOUND')
      })
    },
    remove: (key) => ask(() => remove(key)),
    sweep: (within, before) =>
      ask(async () => {
        await sweepObjects(place, `${prefix}${within}/`, before)
        await sweepParts(place, prefix, before)
      }),
    ...(direct && { direct: await directPuts(place, { ...options, prefix, ask }) }),
  }
}

function orMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** A body, and the error that it has ended in, if it has: that is none of the bucket's. */
function watched(body: AsyncIterable<Uint8Array>) {
  let broke: unknown
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      broke = error
      throw error
    }
  }
  return { body: pass(), error: () => broke }
}
