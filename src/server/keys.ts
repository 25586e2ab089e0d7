/** The key ring: a key for each purpose, derived from root secrets, and the comparison of secrets. */

import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a key is for. A token of one purpose never verifies as another. */
export type Purpose = 'snapshot' | 'csrf' | 'visitor' | 'session'

export type Mac = { readonly keyId: string; readonly mac: string }

/** The result of a check. An unknown key is old or foreign, which does not prove forgery. */
export type Verdict = 'valid' | 'forged' | 'unknown-key'

/** Length of a key id and of a MAC as text. */
export const KEY_ID_LENGTH = 8
export const MAC_LENGTH = 43

type RootKey = {
  readonly id: string
  readonly keys: Map<Purpose, KeyObject>
  readonly secret: Uint8Array
  readonly scope: string
}

/** Signs with the newest secret and verifies with every listed one. */
export class KeyRing {
  readonly #scope: string
  #roots: readonly RootKey[]

  /**
   * `secrets` of at least 32 bytes each, the newest first. Throws without one. Rings with different
   * `scope` do not verify each other's MACs, even with the same secret.
   */
  constructor(secrets: readonly Uint8Array[], scope = '') {
    if (secrets.length === 0) throw new Error('A key ring needs at least one secret.')
    this.#scope = scope
    this.#roots = secrets.map((secret) => rootKey(secret, scope))
  }

  sign(purpose: Purpose, text: string): Mac {
    const root = this.#roots[0]!
    return { keyId: root.id, mac: macOf(root, purpose, text) }
  }

  verify(purpose: Purpose, text: string, claimed: Mac): Verdict {
    const root = this.#roots.find(({ id }) => id === claimed.keyId)
    if (!root) return 'unknown-key'
    return sameText(macOf(root, purpose, text), claimed.mac) ? 'valid' : 'forged'
  }

  /** Signs with `secret` from now on; older secrets still verify. */
  rotate(secret: Uint8Array): void {
    this.#roots = [rootKey(secret, this.#scope), ...this.#roots]
  }

  /** Stops trusting every secret but the newest. */
  retire(): void {
    this.#roots = this.#roots.slice(0, 1)
  }
}

function rootKey(secret: Uint8Array, scope: string): RootKey {
  if (secret.byteLength < 32) throw new Error('A secret needs at least 32 bytes.')
  return {
    id: derive({ secret, scope }, 'key-id').toString('base64url').slice(0, KEY_ID_LENGTH),
    keys: new Map(),
    secret,
    scope,
  }
}

const derive = ({ secret, scope }: Pick<RootKey, 'secret' | 'scope'>, label: string) =>
  Buffer.from(hkdfSync('sha256', secret, scope, `tablewire/${label}`, 32))

function macOf(root: RootKey, purpose: Purpose, text: string): string {
  let key = root.keys.get(purpose)
  if (!key) root.keys.set(purpose, (key = createSecretKey(derive(root, purpose))))
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** The only comparison of secrets: constant in time, and `false` for other lengths. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)

export const sameText = (a: string, b: string): boolean => sameBytes(Buffer.from(a), Buffer.from(b))
