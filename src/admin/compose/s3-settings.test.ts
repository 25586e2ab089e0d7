import { expect, test } from 'vitest'
import { readS3Settings } from './s3-settings.ts'

const keys = { S3_ACCESS_KEY_ID: 'AKID', S3_SECRET_ACCESS_KEY: 'a+secret/key' }

test('files are on disk unless something names a bucket', () => {
  expect(readS3Settings({})).toBeUndefined()
  expect(readS3Settings({ env: { S3_BUCKET: '', PATH: '/bin' } })).toBeUndefined()
})

test('the environment overrides the option, setting by setting', () => {
  const s3 = { bucket: 'shop', region: 'eu-central-1', prefix: 'a/b/', direct: false }
  expect(readS3Settings({ s3 })).toEqual(s3)
  const env = { ...keys, S3_BUCKET: 'other', S3_DIRECT: 'true', S3_PATH_STYLE: 'false' }
  expect(readS3Settings({ s3, env })).toEqual({
    ...{ bucket: 'other', region: 'eu-central-1', prefix: 'a/b/' },
    ...{ direct: true, pathStyle: false, accessKeyId: 'AKID', secretAccessKey: 'a+secret/key' },
  })
  expect(readS3Settings({ env: { S3_BUCKET: 'shop', S3_ENDPOINT: 'http://minio:9000' } })).toEqual({
    bucket: 'shop',
    endpoint: 'http://minio:9000',
  })
})

test.each([
  [{ S3_REGION: 'eu-central-1' }, 'S3_BUCKET is missing: files in S3 need a bucket.'],
  [{ S3_BUCKET: 'a/b' }, 'S3_BUCKET is no name of a bucket.'],
  [{ S3_BUCKET: 'shop', S3_REGION: 'eu central' }, 'S3_REGION is no region such as eu-central-1.'],
  [
    { S3_BUCKET: 'shop', S3_ENDPOINT: 'https://a+secret/key@s3.example.org' },
    'S3_ENDPOINT is no origin such as https://s3.example.org.',
  ],
  [
    { S3_BUCKET: 'shop', S3_ENDPOINT: 's3.example.org' },
    'S3_ENDPOINT is no origin such as https://s3.example.org.',
  ],
  [{ S3_BUCKET: 'shop', S3_PREFIX: '../up/' }, 'S3_PREFIX is no prefix such as admin/.'],
  [{ S3_BUCKET: 'shop', S3_PREFIX: 'admin' }, 'S3_PREFIX is no prefix such as admin/.'],
  [{ S3_BUCKET: 'shop', S3_DIRECT: 'yes' }, 'S3_DIRECT is neither true nor false.'],
  [
    { S3_BUCKET: 'shop', S3_ACCESS_KEY_ID: 'AKID' },
    'Of S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY one is missing.',
  ],
  [
    { ...keys, S3_BUCKET: 'shop', S3_SECRET_ACCESS_KEY: 'a+secret/key with blanks' },
    'S3_SECRET_ACCESS_KEY has signs that it cannot have, or too many.',
  ],
])('%j is refused by name, without the value of a key', (env, sentence) => {
  expect(() => readS3Settings({ env })).toThrow(new Error(sentence))
  expect(sentence).not.toContain('a+secret')
})

test('an option that is unknown is named as it stands there', () => {
  const s3: object = { bucket: 'shop', key: 'a+secret/key' }
  expect(() => readS3Settings({ s3: { bucket: 'shop', ...s3 } })).toThrow(/^s3\.key /)
})
