/** Which bucket files are in, and how it is reached. */

export type S3Options = {
  readonly bucket: string
  /** Default: `us-east-1`, which most compatible servers take. */
  readonly region?: string | undefined
  /** Origin of a compatible server, such as `https://s3.example.org`. Default: Amazon's. */
  readonly endpoint?: string | undefined
  /** What all keys begin with, such as `admin/`. Default: `tablewire/`. What is old there is removed. */
  readonly prefix?: string | undefined
  /**
   * Whether the bucket stands in the path of addresses, not in the name of the host. Default: with an
   * `endpoint`.
   */
  readonly pathStyle?: boolean | undefined
  /** Whether browsers put files into the bucket themselves. Default: true. */
  readonly direct?: boolean | undefined
  /** Default: the credentials that the AWS SDK finds, such as those of the machine's role. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
}
