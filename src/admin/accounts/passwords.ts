/** Passwords: which are allowed, how they are hashed, and how they are verified. */

import { argon2 as nodeArgon2, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '../../server/app-error.ts'
import { sameBytes } from '../../server/keys.ts'
import { type Asker, BoundedQueue } from './bounded-queue.ts'
import { type HashCost, type PasswordHash, readHash, writeHash } from './password-hash.ts'
import type { RandomBytes } from './tokens.ts'

/** Shortest password, characters. */
export const PASSWORD_CHARACTERS = 12
/** Longest password, bytes of UTF-8. */
export const PASSWORD_BYTES = 1024

/** What a new hash costs: 19 MiB and two passes, about 50 ms. */
export const HASH_COST: HashCost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Hashing shares Node’s thread pool with file access: more at once would slow everything else. */
const HASH_QUEUE = { running: 2, waiting: 32, waitingEach: 8, retryAfter: 2 }

export type Argon2 = (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Uint8Array>

export type PasswordsOptions = {
  readonly randomBytes: RandomBytes
  /** Default: Node's own. */
  readonly argon2?: Argon2
  /** Default: `HASH_COST`. */
  readonly cost?: HashCost
}

export class Passwords {
  readonly #randomBytes: RandomBytes
  readonly #argon2: Argon2
  readonly #cost: HashCost
  readonly #queue = new BoundedQueue(HASH_QUEUE)
  /** Costs as much to verify as a real hash and matches no password: its tag is random. */
  readonly #dummy: PasswordHash

  constructor({ randomBytes, argon2 = promisify(nodeArgon2), cost = HASH_COST }: PasswordsOptions) {
    this.#randomBytes = randomBytes
    this.#argon2 = argon2
    this.#cost = cost
    this.#dummy = { ...cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }
  }

  /** Hashes a password to a PHC string. Throws `BUSY` where too many are waiting. */
  async hash(password: string, asker: Asker): Promise<string> {
    const salt = this.#randomBytes(SALT_BYTES)
    const tag = await this.#compute(password, { ...this.#cost, salt }, TAG_BYTES, asker)
    return writeHash({ ...this.#cost, salt, tag })
  }

  /**
   * Whether the password is the one that was hashed. For an account that is unknown or has no
   * password, `stored` is `null`: that takes equally long and is never right. Throws `BUSY`.
   */
  async verify(password: string, stored: string | null, asker: Asker): Promise<boolean> {
    if (isTooLong(password)) return false
    const expected = (stored !== null && readHash(stored)) || this.#dummy
    const tag = await this.#compute(password, expected, expected.tag.byteLength, asker)
    return sameBytes(tag, expected.tag)
  }

  /** Whether the hash was made at a cost other than today’s. */
  needsRehash(stored: string): boolean {
    const hash = readHash(stored)
    const costs = ['memory', 'passes', 'parallelism'] as const
    return !hash || costs.some((cost) => hash[cost] !== this.#cost[cost])
  }

  #compute(
    password: string,
    hash: HashCost & { salt: Uint8Array },
    tagLength: number,
    asker: Asker,
  ) {
    const { memory, passes, parallelism, salt } = hash
    const message = normalize(password)
    const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength }
    return this.#queue.run(() => this.#argon2('argon2id', parameters), asker)
  }
}

/** Throws unless the password is allowed. */
export function checkPassword(password: string): void {
  const characters = [...normalize(password)].length
  if (characters < PASSWORD_CHARACTERS)
    throw new AppError('PASSWORD_TOO_SHORT', {
      detail: ({ account }, number) => account.passwordLength(number(characters)),
    })
  if (isTooLong(password)) throw new AppError('PASSWORD_TOO_LONG')
}

/** Keyboards compose the same letter from different code points. */
const normalize = (password: string) => password.normalize('NFKC')

const isTooLong = (password: string) => Buffer.byteLength(normalize(password)) > PASSWORD_BYTES
