/** A password hash as text: the PHC string of Argon2id. */

/** What a hash costs: memory in KiB, passes over it, degree of parallelism. */
export type HashCost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

export type PasswordHash = HashCost & { readonly salt: Uint8Array; readonly tag: Uint8Array }

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export const writeHash = ({ memory, passes, parallelism, salt, tag }: PasswordHash): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

/** Reads what `writeHash` wrote; `undefined` for anything else. */
export function readHash(text: string): PasswordHash | undefined {
  const parts = PHC.exec(text)
  if (!parts) return undefined
  const [, memory, passes, parallelism, salt, tag] = parts
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt ?? '', 'base64'),
    tag: Buffer.from(tag ?? '', 'base64'),
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
