/** The key ring: a key for each purpose, derived from root secrets, and the comparison of secrets. */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** What a key is for. A token of one purpose never verifies as another. */
export type Purpose =
  | 'snapshot'
  | 'csrf'
  | 'visitor'
  | 'session'
  | 'browser'
  | 'seal'
  | 'seal-cipher'
  | 'presence'
  | 'upload'
  | 'plan'
  | 'looking'

export type Mac = { readonly keyId: string; readonly mac: string }

/** The result of a check. An unknown key is old or foreign, which does not prove forgery. */
export type Verdict = 'valid' | 'forged' | 'unknown-key'

/** Length of a key id and of a MAC as text. */
export const KEY_ID_LENGTH = 8
export const MAC_LENGTH = 43

/**
 * Hides texts in tokens. The same text in the same context always has the same token, so that a token
 * can be an address; it tells nothing else but the length of the text.
 */
export type Sealer = {
  seal(context: string, text: string): string
  /** The text; `undefined` for a token that was not sealed here, or in another context. */
  open(context: string, token: string): string | undefined
}

type RootKey = {
  readonly id: string
  readonly keys: Map<Purpose, KeyObject>
  /** MACs of short texts that were right, by purpose and text. */
  readonly remembered: Map<string, string>
  readonly secret: Uint8Array
  readonly scope: string
}

/** MACs of short texts that are remembered for each key. */
const REMEMBERED_MAX = 1000

/** Signs with the newest secret and verifies with every listed one. */
export class KeyRing implements Sealer {
  readonly #scope: string
  #roots: readonly [RootKey, ...RootKey[]]

  /**
   * `secrets` of at least 32 bytes each, the newest first. Throws without one. Rings with different
   * `scope` do not verify each other's MACs, even with the same secret.
   */
  constructor(secrets: readonly Uint8Array[], scope = '') {
    const [newest, ...older] = secrets.map((secret) => rootKey(secret, scope))
    if (!newest) throw new Error('A key ring needs at least one secret.')
    this.#scope = scope
    this.#roots = [newest, ...older]
  }

  sign(purpose: Purpose, text: string): Mac {
    const [root] = this.#roots
    return { keyId: root.id, mac: macOf(root, purpose, text) }
  }

  verify(purpose: Purpose, text: string, claimed: Mac): Verdict {
    const root = this.#roots.find(({ id }) => id === claimed.keyId)
    if (!root) return 'unknown-key'
    return sameText(macOf(root, purpose, text), claimed.mac) ? 'valid' : 'forged'
  }

  /** The same for a short text that comes with request after request: its MAC is computed once. */
  verifyAgain(purpose: Purpose, text: string, claimed: Mac): Verdict {
    const root = this.#roots.find(({ id }) => id === claimed.keyId)
    if (!root) return 'unknown-key'
    const { remembered } = root
    const of = `${purpose} ${text}`
    const known = remembered.get(of)
    if (known !== undefined) return sameText(known, claimed.mac) ? 'valid' : 'forged'
    const verdict = this.verify(purpose, text, claimed)
    if (verdict !== 'valid') return verdict
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(of, claimed.mac)
    return verdict
  }

  /** Synthetic initialization vectors (as RFC 5297): the vector is a MAC over context and text. */
  seal(context: string, text: string): string {
    const [root] = this.#roots
    const iv = vectorOf(root, context, text)
    const cipher = createCipheriv(CIPHER, keyOf(root, 'seal-cipher'), iv)
    return Buffer.concat([iv, cipher.update(text), cipher.final()]).toString('base64url')
  }

  open(context: string, token: string): string | undefined {
    const bytes = Buffer.from(token, 'base64url')
    const iv = bytes.subarray(0, VECTOR_LENGTH)
    // Each token has one spelling.
    if (iv.length < VECTOR_LENGTH || bytes.toString('base64url') !== token) return undefined
    for (const root of this.#roots) {
      const cipher = createDecipheriv(CIPHER, keyOf(root, 'seal-cipher'), iv)
      const opened = Buffer.concat([cipher.update(bytes.subarray(VECTOR_LENGTH)), cipher.final()])
      if (sameBytes(vectorOf(root, context, opened), iv)) return opened.toString()
    }
    return undefined
  }

  /** Signs with `secret` from now on; older secrets still verify. */
  rotate(secret: Uint8Array): void {
    this.#roots = [rootKey(secret, this.#scope), ...this.#roots]
  }

  /** Stops trusting every secret but the newest. */
  retire(): void {
    this.#roots = [this.#roots[0]]
  }
}

/** Keys that end with the process, for what need not outlive it. */
export const passingKeys = (): KeyRing => new KeyRing([randomBytes(32)])

function rootKey(secret: Uint8Array, scope: string): RootKey {
  if (secret.byteLength < 32) throw new Error('A secret needs at least 32 bytes.')
  return {
    id: derive({ secret, scope }, 'key-id').toString('base64url').slice(0, KEY_ID_LENGTH),
    keys: new Map(),
    remembered: new Map(),
    secret,
    scope,
  }
}

const derive = ({ secret, scope }: Pick<RootKey, 'secret' | 'scope'>, label: string) =>
  Buffer.from(hkdfSync('sha256', secret, scope, `tablewire/${label}`, 32))

function keyOf(root: RootKey, purpose: Purpose): KeyObject {
  let key = root.keys.get(purpose)
  if (!key) root.keys.set(purpose, (key = createSecretKey(derive(root, purpose))))
  return key
}

const macOf = (root: RootKey, purpose: Purpose, text: string): string =>
  createHmac('sha256', keyOf(root, purpose)).update(text).digest('base64url')

const CIPHER = 'aes-256-ctr'
const VECTOR_LENGTH = 16

/** The context ends where its length says, so that no other one with its text gives the same vector. */
const vectorOf = (root: RootKey, context: string, text: string | Uint8Array): Buffer =>
  createHmac('sha256', keyOf(root, 'seal'))
    .update(`${Buffer.byteLength(context)} ${context}`)
    .update(text)
    .digest()
    .subarray(0, VECTOR_LENGTH)

/** The only comparison of secrets: constant in time, and `false` for other lengths. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)

export const sameText = (a: string, b: string): boolean => sameBytes(Buffer.from(a), Buffer.from(b))

/** A secret with fewer different characters is not random. */
const DIFFERENT_CHARACTERS = 8

/** Whether a secret's text repeats so few characters that it can be guessed. */
export const isRepetitive = (secret: string): boolean => new Set(secret).size < DIFFERENT_CHARACTERS
