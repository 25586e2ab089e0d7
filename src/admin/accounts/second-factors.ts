/** Second factors: codes of an app, and recovery codes for who has lost it. */

import { hash } from 'node:crypto'
import type { Metadata, MetadataStores } from '../../database/metadata/metadata.ts'
import type { User } from '../../database/metadata/users.ts'
import { AppError } from '../../server/app-error.ts'
import type { Sealer } from '../../server/keys.ts'
import type { Attempts } from './attempts.ts'
import type { RecordChange } from './directory.ts'
import type { OwnAccount, Self } from './own-account.ts'
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts'
import { newSecret, stepOf, uriOf } from './time-codes.ts'
import type { RandomBytes } from './tokens.ts'

/** How long a sign-in may wait for its second step, and a set-up for its first code, ms. */
const STEP_MS = 10 * 60_000

/** What is asked of somebody whose password was right. */
export type NextStep = 'none' | 'code' | 'setUp'

/** A password that somebody has chosen by a link, which counts after the second step. */
export type ChosenPassword = {
  /** The hash of the link’s token. */
  readonly link: string
  readonly passwordHash: string
}

export type FirstStep = { readonly user: User; readonly chosen: ChosenPassword | undefined }

/** Whose second factor it is. */
type Owner = Pick<User, 'id' | 'name' | 'email'>

/** A secret that is not in use yet. */
export type CodeDraft = {
  /** As base32. */
  readonly secret: string
  /** For a QR code. */
  readonly uri: string
  /** The secret for the form that ends the set-up, which nobody can make. */
  readonly sealed: string
}

/** The form that takes a secret into use. */
export type SetUp = Pick<CodeDraft, 'sealed'> & {
  readonly code: string
  /** Whether the person must have no second factor yet. Default: they may have one. */
  readonly isFirst?: boolean
}

export type SecondFactorState = {
  readonly isUsed: boolean
  /** Since when they use codes, ms since 1970. */
  readonly codesSince: number | null
  readonly recoveryLeft: number
}

export type SecondFactorOptions = {
  readonly metadata: Metadata
  /** Hides secrets where they are stored, and in forms. */
  readonly sealer: Sealer
  readonly now: () => number
  readonly randomBytes: RandomBytes
  readonly attempts: Attempts
  readonly record: RecordChange
  readonly own: OwnAccount
  /** Whether everybody needs a second factor. */
  readonly isRequired: boolean
  /** What apps call this Tablewire. */
  readonly issuer: string
}

/** Every change is recorded in the transaction that makes it. */
export class SecondFactors {
  readonly #options: SecondFactorOptions
  /** Takes as long to try as a secret that somebody has. */
  readonly #nobodys: string

  constructor(options: SecondFactorOptions) {
    this.#options = options
    this.#nobodys = newSecret(options.randomBytes)
  }

  get isRequired(): boolean {
    return this.#options.isRequired
  }

  async nextStep({ secondFactors }: MetadataStores, userId: string): Promise<NextStep> {
    if (await secondFactors.has(userId)) return 'code'
    return this.isRequired ? 'setUp' : 'none'
  }

  /** Names somebody who has taken the first step, for the form of the second. */
  beginStep(user: User, chosen?: ChosenPassword): string {
    const { sealer, now } = this.#options
    const parts = [user.id, now() + STEP_MS, markOf(user)]
    const more = chosen ? [chosen.link, chosen.passwordHash] : []
    return sealer.seal('second step', [...parts, ...more].join(' '))
  }

  /** Whom `beginStep` has named. Throws `PAGE_EXPIRED`, also where their password has changed since. */
  async openStep(token: string): Promise<FirstStep> {
    const { sealer, metadata, now } = this.#options
    const parts = sealer.open('second step', token)?.split(' ') ?? []
    const [id = '', until, mark, link, passwordHash] = parts
    const user = Number(until) > now() ? await metadata.users.find(id) : undefined
    if (!user || user.disabledAt !== null || markOf(user) !== mark)
      throw new AppError('PAGE_EXPIRED')
    const isChosen = link !== undefined && passwordHash !== undefined
    return { user, chosen: isChosen ? { link, passwordHash } : undefined }
  }

  async stateOf(userId: string): Promise<SecondFactorState> {
    const { secondFactors } = this.#options.metadata
    const codes = await secondFactors.codesOf(userId)
    return {
      isUsed: await secondFactors.has(userId),
      codesSince: codes?.createdAt ?? null,
      recoveryLeft: await secondFactors.countRecovery(userId),
    }
  }

  /** A new secret. Throws what `confirm` throws. */
  async begin(self: Self, password: string): Promise<CodeDraft> {
    return this.draft(await this.#options.own.confirm(self, password))
  }

  /** The same for somebody who has just shown their password. */
  draft(user: Pick<User, 'id' | 'email'>): CodeDraft {
    const { sealer, now, randomBytes } = this.#options
    const secret = newSecret(randomBytes)
    return this.#draftOf(user, sealer.seal(draftOf(user), `${now() + STEP_MS} ${secret}`), secret)
  }

  /** A draft once more. Throws `PAGE_EXPIRED`. */
  reopen(user: Pick<User, 'id' | 'email'>, sealed: string): CodeDraft {
    const { sealer, now } = this.#options
    const [until, secret] = sealer.open(draftOf(user), sealed)?.split(' ') ?? []
    if (secret === undefined || Number(until) <= now()) throw new AppError('PAGE_EXPIRED')
    return this.#draftOf(user, sealed, secret)
  }

  #draftOf({ email }: Pick<User, 'email'>, sealed: string, secret: string): CodeDraft {
    return { secret, sealed, uri: uriOf(secret, this.#options.issuer, email) }
  }

  /**
   * Takes a secret into use, by a code of it. Returns new recovery codes, unless the person has some, or the
   * form is posted twice: their first answer held them. Throws `CODE_WRONG`, `PAGE_EXPIRED` (also where
   * there is another second factor, of somebody who must have none) and `TOO_MANY_REQUESTS`.
   */
  async finish(user: Owner, { sealed, code, isFirst }: SetUp, address: string): Promise<string[]> {
    const { metadata, attempts, sealer, now, record } = this.#options
    await attempts.atCode(user.id, address)
    const { secret } = this.reopen(user, sealed)
    const step = stepOf(secret, code, now())
    if (step === undefined) throw new AppError('CODE_WRONG')
    const key = JSON.stringify(['set up', sealed])
    const isFresh = (await metadata.limits.take({ key, limit: 1, windowMs: 2 * STEP_MS })) === 0
    return metadata.transaction(async (within) => {
      const before = await within.secondFactors.codesOf(user.id)
      if (before && sealer.open(secretOf(user.id), before.secret) === secret) {
        // The code that has set it up, and none of later, which only signs in.
        if (before.lastStep === step) return []
        throw new AppError('CODE_WRONG')
      }
      // It was used, and what it set up has been taken away since.
      if (!isFresh) throw new AppError('PAGE_EXPIRED')
      if (isFirst && (await within.secondFactors.has(user.id))) throw new AppError('PAGE_EXPIRED')
      await within.secondFactors.setCodes({
        ...{ userId: user.id, secret: sealer.seal(secretOf(user.id), secret) },
        ...{ lastStep: step, createdAt: now() },
      })
      await record(within, user, user, 'codesOn')
      return this.recoveryFor(within, user.id)
    })
  }

  /** New recovery codes for somebody who has none. */
  async recoveryFor(within: MetadataStores, userId: string): Promise<string[]> {
    if ((await within.secondFactors.countRecovery(userId)) > 0) return []
    return this.#renewRecovery(within, userId)
  }

  async #renewRecovery({ secondFactors }: MetadataStores, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes(this.#options.randomBytes)
    await secondFactors.setRecovery(
      userId,
      codes.map((code) => recoveryDigest(userId, code)),
    )
    return codes
  }

  /**
   * Uses up a code of an app or a recovery code. Wrong ones, and those that were used, are answered alike and
   * take equally long. Throws `CODE_WRONG` and `TOO_MANY_REQUESTS`.
   */
  async prove(user: Owner, code: string, address: string): Promise<void> {
    const { metadata, attempts, sealer, now, record } = this.#options
    await attempts.atCode(user.id, address)
    const { secondFactors } = metadata
    const stored = await secondFactors.codesOf(user.id)
    const secret = stored && sealer.open(secretOf(user.id), stored.secret)
    const step = stepOf(secret ?? this.#nobodys, code, now())
    const used = secret === undefined || step === undefined ? NO_STEP : step
    const isCode = await secondFactors.useStep(user.id, used)
    const isRecovery = await metadata.transaction(async (within) => {
      const digest = recoveryDigest(user.id, code)
      if (!(await within.secondFactors.useRecovery(user.id, digest))) return false
      await record(within, user, user, 'recoveryUsed')
      return true
    })
    if (!isCode && !isRecovery) throw new AppError('CODE_WRONG')
  }

  /** Throws what `confirm` throws, and `NOT_FOUND` for somebody without a second factor. */
  async renewRecovery(self: Self, password: string): Promise<string[]> {
    const { metadata, own, record } = this.#options
    const user = await own.confirm(self, password)
    return metadata.transaction(async (within) => {
      if (!(await within.secondFactors.has(user.id))) throw new AppError('NOT_FOUND')
      await record(within, user, user, 'recovery')
      return this.#renewRecovery(within, user.id)
    })
  }

  /** Throws what `confirm` throws, and `FORBIDDEN` for the last one where one is required. */
  async removeCodes(self: Self, password: string): Promise<void> {
    const { metadata, own, record } = this.#options
    const user = await own.confirm(self, password)
    await metadata.transaction(async (within) => {
      if (!(await within.secondFactors.codesOf(user.id))) return
      await within.secondFactors.removeCodes(user.id)
      await this.afterRemoval(within, user.id)
      await record(within, user, user, 'codesOff')
    })
  }

  /** Without a second factor, nothing is left to recover. */
  async afterRemoval({ secondFactors }: MetadataStores, userId: string): Promise<void> {
    if (await secondFactors.has(userId)) return
    if (this.isRequired)
      throw new AppError('FORBIDDEN', { detail: ({ account }) => account.secondFactorRequired })
    await secondFactors.setRecovery(userId, [])
  }
}

/** No code belongs to it. */
const NO_STEP = -1

const secretOf = (userId: string): string => `codes of ${userId}`

const draftOf = ({ id }: Pick<User, 'id'>): string => `new codes of ${id}`

/** Changes with the password, without telling it. */
const markOf = ({ passwordHash }: User): string =>
  hash('sha256', passwordHash ?? '', 'base64url').slice(0, 22)
