/** Passkeys: keys of a device that sign in by themselves, or as a second factor. */

import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Metadata } from '../../database/metadata/metadata.ts'
import type { StoredPasskey } from '../../database/metadata/second-factors.ts'
import type { User } from '../../database/metadata/users.ts'
import { AppError } from '../../server/app-error.ts'
import type { Challenges } from './challenges.ts'
import type { RecordChange } from './directory.ts'
import type { OwnAccount, Self } from './own-account.ts'
import { readAuthentication, readRegistration, readTransports } from './passkey-answers.ts'
import type { SecondFactors } from './second-factors.ts'

/** Longest name of a passkey, characters, and most that a person may have. */
const NAME_CHARACTERS = 100
const PASSKEYS_MAX = 20

/** Where browsers reach the server; a passkey belongs to it alone. */
export type PasskeySite = {
  readonly origin: string
  /** The name of the host. */
  readonly id: string
  /** What devices call it. */
  readonly name: string
}

export type PasskeyOptions = {
  readonly metadata: Metadata
  readonly challenges: Challenges
  readonly now: () => number
  readonly record: RecordChange
  readonly own: OwnAccount
  readonly secondFactors: SecondFactors
  /** `undefined` where none can be had. */
  readonly site: PasskeySite | undefined
}

/** Options for the browser’s own dialog, as JSON. */
export type PasskeyQuestion = string

/** What passkeys are bound to: browsers have them for names of hosts, over TLS or on the machine itself. */
export function passkeySite(url: URL | undefined, name: string): PasskeySite | undefined {
  if (!url || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  if (url.protocol !== 'https:' && url.hostname !== 'localhost') return undefined
  return { origin: url.origin, id: url.hostname, name }
}

/**
 * Of keys: EdDSA, ES256 and RS256, the library’s own choice but for one that Node calls experimental, and would warn of
 * in the output.
 */
const ALGORITHMS = [-8, -7, -257]

/** Loaded where somebody uses a passkey. */
const library = () => import('@simplewebauthn/server')

export class Passkeys {
  readonly #options: PasskeyOptions

  constructor(options: PasskeyOptions) {
    this.#options = options
  }

  get isOffered(): boolean {
    return this.#options.site !== undefined
  }

  list(userId: string): Promise<StoredPasskey[]> {
    return this.#options.metadata.secondFactors.passkeysOf(userId)
  }

  /** Asks the browser for a new one. Throws what `confirm` throws, and `NAME_INVALID`. */
  async begin(self: Self, password: string, name: string): Promise<PasskeyQuestion> {
    const { own, challenges } = this.#options
    const site = this.#site()
    checkName(name)
    const user = await own.confirm(self, password)
    const known = await this.list(user.id)
    const { generateRegistrationOptions } = await library()
    const options = await generateRegistrationOptions({
      ...{ rpName: site.name, rpID: site.id },
      ...{ userName: user.email, userDisplayName: user.name },
      userID: new TextEncoder().encode(user.id),
      challenge: new TextEncoder().encode(challenges.make(`add ${user.id}`)),
      excludeCredentials: known.map(credentialOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return JSON.stringify(options)
  }

  /**
   * Takes a new passkey. Returns recovery codes, unless the person has some. Throws `PASSKEY_REFUSED` and
   * `NAME_INVALID`.
   */
  async add(user: Pick<User, 'id' | 'name'>, answer: string, name: string): Promise<string[]> {
    const { metadata, now, record, secondFactors } = this.#options
    const called = checkName(name)
    const { credential, transports } = await this.#verifyNew(user.id, answer)
    return metadata.transaction(async (within) => {
      const known = await within.secondFactors.passkeysOf(user.id)
      if (known.length >= PASSKEYS_MAX) throw new AppError('PASSKEY_REFUSED')
      const isNew = await within.secondFactors.addPasskey({
        ...{ id: idOf(credential.id), credentialId: credential.id, userId: user.id, name: called },
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        ...{ counter: credential.counter, transports: JSON.stringify(transports) },
        ...{ createdAt: now(), lastUsedAt: null },
      })
      if (!isNew) throw new AppError('PASSKEY_REFUSED')
      await record(within, user, user, 'passkeyOn', { after: called })
      return secondFactors.recoveryFor(within, user.id)
    })
  }

  async #verifyNew(userId: string, answer: string) {
    const site = this.#site()
    const response = readRegistration(answer)
    if (!response) throw new AppError('PASSKEY_REFUSED')
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo } = await orRefused(() =>
      verifyRegistrationResponse({
        response,
        expectedChallenge: this.#taking(`add ${userId}`),
        ...{ expectedOrigin: site.origin, expectedRPID: site.id },
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!registrationInfo) throw new AppError('PASSKEY_REFUSED')
    return { credential: registrationInfo.credential, transports: response.response.transports }
  }

  /** Asks for any passkey of this site; `undefined` where nobody has one. */
  async askAnybody(): Promise<PasskeyQuestion | undefined> {
    const { metadata } = this.#options
    if (!this.isOffered || !(await metadata.secondFactors.hasPasskeys())) return undefined
    return this.#ask(SIGN_IN, [], 'required')
  }

  /** Asks for one of a person’s; `undefined` where they have none. */
  async askFor(userId: string): Promise<PasskeyQuestion | undefined> {
    const known = this.isOffered ? await this.list(userId) : []
    return known.length === 0 ? undefined : this.#ask(`go on as ${userId}`, known, 'preferred')
  }

  async #ask(
    purpose: string,
    known: readonly StoredPasskey[],
    userVerification: 'required' | 'preferred',
  ): Promise<PasskeyQuestion> {
    const { generateAuthenticationOptions } = await library()
    const options = await generateAuthenticationOptions({
      rpID: this.#site().id,
      challenge: new TextEncoder().encode(this.#options.challenges.make(purpose)),
      allowCredentials: known.map(credentialOf),
      userVerification,
    })
    return JSON.stringify(options)
  }

  /** Whose passkey has signed, by itself: it has also checked its person. Throws `PASSKEY_REFUSED`. */
  proveAnybody(answer: string): Promise<User> {
    return this.#prove(SIGN_IN, answer, { requireUserVerification: true })
  }

  /** The same as a second factor of somebody. */
  proveFor(userId: string, answer: string): Promise<User> {
    return this.#prove(`go on as ${userId}`, answer, { userId, requireUserVerification: false })
  }

  async #prove(
    purpose: string,
    answer: string,
    { userId, requireUserVerification }: { userId?: string; requireUserVerification: boolean },
  ): Promise<User> {
    const { metadata, now } = this.#options
    const site = this.#site()
    const response = readAuthentication(answer)
    const passkey = response && (await metadata.secondFactors.findPasskey(idOf(response.id)))
    if (!response || !passkey || (userId !== undefined && passkey.userId !== userId))
      throw new AppError('PASSKEY_REFUSED')
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await orRefused(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: this.#taking(purpose),
        ...{ expectedOrigin: site.origin, expectedRPID: site.id },
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
        requireUserVerification,
      }),
    )
    const user = await metadata.users.find(passkey.userId)
    if (!verified || !user || user.disabledAt !== null) throw new AppError('PASSKEY_REFUSED')
    const counter = { from: passkey.counter, to: authenticationInfo.newCounter, now: now() }
    if (!(await metadata.secondFactors.usePasskey(passkey.id, counter)))
      throw new AppError('PASSKEY_REFUSED')
    return user
  }

  /** Throws what `confirm` throws, `NOT_FOUND`, and `FORBIDDEN` for the last factor where one is required. */
  async remove(self: Self, password: string, id: string): Promise<void> {
    const { metadata, own, record, secondFactors } = this.#options
    const user = await own.confirm(self, password)
    await metadata.transaction(async (within) => {
      const passkey = await within.secondFactors.findPasskey(id)
      if (!passkey || !(await within.secondFactors.removePasskey(user.id, id)))
        throw new AppError('NOT_FOUND')
      await secondFactors.afterRemoval(within, user.id)
      await record(within, user, user, 'passkeyOff', { before: passkey.name })
    })
  }

  /** The browser signs the text of a challenge as bytes. */
  #taking(purpose: string) {
    return (signed: string): Promise<boolean> =>
      this.#options.challenges.take(purpose, Buffer.from(signed, 'base64url').toString())
  }

  #site(): PasskeySite {
    const { site } = this.#options
    if (!site) throw new AppError('NOT_FOUND')
    return site
  }
}

const SIGN_IN = 'sign in'

/** The library says in English what it does not accept, such as another origin. */
async function orRefused<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (cause) {
    throw new AppError('PASSKEY_REFUSED', { cause })
  }
}

const idOf = (credentialId: string): string => hash('sha256', credentialId, 'base64url')

const credentialOf = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  transports: readTransports(transports),
})

function checkName(text: string): string {
  const name = text.trim().normalize('NFC')
  if (name === '' || name.length > NAME_CHARACTERS || /\p{C}/u.test(name))
    throw new AppError('NAME_INVALID')
  return name
}
