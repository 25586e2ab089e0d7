/** The settings of files in S3: the environment, else the option of the admin. */

import * as v from 'valibot'
import { own } from '../../table/definition/define-table.ts'
import type { S3Options } from '../../server/upload/s3/s3-options.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables by setting. */
const NAMES = {
  bucket: 'S3_BUCKET',
  region: 'S3_REGION',
  endpoint: 'S3_ENDPOINT',
  prefix: 'S3_PREFIX',
  pathStyle: 'S3_PATH_STYLE',
  direct: 'S3_DIRECT',
  accessKeyId: 'S3_ACCESS_KEY_ID',
  secretAccessKey: 'S3_SECRET_ACCESS_KEY',
} as const satisfies { readonly [setting in keyof S3Options]-?: string }

/** No message shows a value: one may be a key that stands in the wrong variable. */
const text = (pattern: RegExp, expected: string) =>
  v.optional(v.pipe(v.string(expected), v.regex(pattern, expected)))

const flag = v.optional(v.boolean('is neither true nor false'))

const schema = v.strictObject(
  {
    bucket: v.pipe(
      v.string('is missing: files in S3 need a bucket'),
      v.regex(/^[a-z\d][a-z\d._-]{1,61}[a-z\d]$/i, 'is no name of a bucket'),
    ),
    region: text(/^[a-z\d-]{1,40}$/i, 'is no region such as eu-central-1'),
    endpoint: v.optional(
      v.pipe(v.string(), v.check(isOrigin, 'is no origin such as https://s3.example.org')),
    ),
    prefix: text(/^(?:[\w-]+\/)+$/, 'is no prefix such as admin/'),
    pathStyle: flag,
    direct: flag,
    accessKeyId: text(/^[!-~]{1,128}$/, 'has signs that it cannot have, or too many'),
    secretAccessKey: text(/^[!-~]{1,256}$/, 'has signs that it cannot have, or too many'),
  },
  'is no setting of S3',
)

/** `undefined` where files are not in S3. Throws one sentence for a setting that cannot be right. */
export function readS3Settings({
  s3,
  env = {},
}: {
  readonly s3?: S3Options | undefined
  readonly env?: Environment | undefined
}): S3Options | undefined {
  const set = Object.entries(NAMES).flatMap(([setting, name]) => {
    const value = env[name]
    return value ? [[setting, own(FLAGS, value) ?? value] as const] : []
  })
  if (set.length === 0 && s3 === undefined) return undefined
  const parsed = v.safeParse(schema, { bucket: undefined, ...s3, ...Object.fromEntries(set) })
  if (!parsed.success) {
    const [{ path, message }] = parsed.issues
    throw new Error(`${nameOf(path?.[0]?.key)} ${message}.`)
  }
  const { accessKeyId, secretAccessKey } = parsed.output
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new Error(`Of ${NAMES.accessKeyId} and ${NAMES.secretAccessKey} one is missing.`)
  return parsed.output
}

const FLAGS: { readonly [text: string]: boolean } = { true: true, false: false }

/** A setting is called as the environment calls it; an unknown one, as it stands in the option. */
const nameOf = (setting: unknown): string => own(NAMES, String(setting)) ?? `s3.${String(setting)}`

function isOrigin(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`
}
