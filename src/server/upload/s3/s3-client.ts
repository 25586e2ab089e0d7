/** The client of a bucket: the AWS SDK, which is loaded only where files are in S3. */

import type { S3Client } from '@aws-sdk/client-s3'
import { loadPackage } from '../../optional-package.ts'
import type { S3Options } from './s3-options.ts'

/** How long a connection may take, ms. */
const CONNECTION_MS = 5000
/** How long an answer may take, and a pause between its bytes, ms. */
const ANSWER_MS = 60_000

const PACKAGES = ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner']

/** Throws one sentence if a package is missing. */
export async function loadSdk() {
  const [s3, { getSignedUrl }] = await loadPackage('files in S3', PACKAGES.join(' '), () =>
    Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/s3-request-presigner')]),
  )
  return { s3, getSignedUrl }
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** A bucket, and what asks it. */
export type Bucket = {
  readonly sdk: Sdk
  readonly client: S3Client
  readonly bucket: string
  /** Bytes that are copied at once. Default: as many as S3 copies in good time. */
  readonly copyBytes?: number | undefined
}

export function createClient(
  { s3 }: Sdk,
  { answerMs = ANSWER_MS, ...options }: S3Options & { readonly answerMs?: number | undefined },
): S3Client {
  const { region = 'us-east-1', endpoint, pathStyle = endpoint !== undefined } = options
  const { accessKeyId, secretAccessKey } = options
  return new s3.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    forcePathStyle: pathStyle,
    // Compatible servers do not know the newer checksums; the signature covers the bytes already.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_MS,
      requestTimeout: answerMs,
      socketTimeout: answerMs,
      throwOnRequestTimeout: true,
    },
  })
}
