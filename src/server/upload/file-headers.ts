/** The headers of a file that somebody has brought: whatever it holds, nothing of it runs. */

/** Pictures that browsers show by themselves, and in which nothing runs. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
])

/** `size`: bytes, if they are known. */
export const fileHeaders = ({
  name,
  type,
  size,
}: {
  readonly name: string
  readonly type: string
  readonly size?: number
}) => ({
  'content-type': SHOWN.has(type) ? type : 'application/octet-stream',
  'content-disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
  ...(size !== undefined && { 'content-length': size }),
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
})

/** As RFC 8187 has it, which keeps fewer signs than an address does. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
