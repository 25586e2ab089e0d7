/** How often somebody may try a password or a code; all nodes count together. */

import { emailKey } from '../../database/metadata/email-key.ts'
import type { Limits } from '../../database/metadata/limits.ts'
import { networkKeys } from '../../server/network-keys.ts'
import { rateLimit, SITE_SHARE, tooMany } from '../../server/rate-limit.ts'
import type { Asker } from './bounded-queue.ts'

const MINUTE_MS = 60_000

export type AttemptLimits = {
  /** Password attempts at once, and again within a minute: for one account from one address, … */
  readonly attemptsPerPair: number
  /** … for one account from all addresses (higher, so that strangers cannot lock it), … */
  readonly attemptsPerAccount: number
  /** … from one address for all accounts (from a /48 four times as many), … */
  readonly attemptsPerAddress: number
  /** … and from a browser that has signed in to the account before, which the others do not count. */
  readonly attemptsPerBrowser: number
  /** Codes of a second factor for one account from all addresses, in ten minutes. */
  readonly codesPerAccount: number
}

export const ATTEMPT_LIMITS: AttemptLimits = {
  attemptsPerPair: 5,
  attemptsPerAccount: 30,
  attemptsPerAddress: 20,
  attemptsPerBrowser: 5,
  codesPerAccount: 10,
}

/** Counts an attempt under a key. Throws `TOO_MANY_REQUESTS`. */
type Count = (key: string) => Promise<void>

/** Each throws `TOO_MANY_REQUESTS`, or returns what the attempt waits under. */
export type Attempts = {
  /** At the password of an account; `browser` is one in which its person has signed in before. */
  atSignIn(email: string, address: string, browser: string | undefined): Promise<Asker>
  /** At their own password, by somebody who is signed in. */
  atOwnPassword(userId: string, address: string): Promise<Asker>
  /** At a passkey, whosever it is. */
  atPasskey(address: string): Promise<void>
  /** At a code, by somebody whose password was right: few enough that none is guessed. */
  atCode(userId: string, address: string): Promise<void>
}

export function countAttempts(
  shared: Pick<Limits, 'take'>,
  now: () => number,
  limits: AttemptLimits,
): Attempts {
  const counter = (limit: number, name: string, windowMs = MINUTE_MS): Count => {
    const here = rateLimit({ now, limit, windowMs })
    return async (key) => {
      // A limit that is used up here is used up on all nodes, so the store need not be asked.
      here.take(key)
      const waitMs = await shared.take({ key: JSON.stringify([name, key]), limit, windowMs })
      if (waitMs > 0) throw tooMany(waitMs)
    }
  }
  const perPair = counter(limits.attemptsPerPair, 'pair')
  const perAccount = counter(limits.attemptsPerAccount, 'account')
  const perAddress = counter(limits.attemptsPerAddress, 'address')
  const perSite = counter(limits.attemptsPerAddress * SITE_SHARE, 'site')
  const perBrowser = counter(limits.attemptsPerBrowser, 'browser')
  const perCodes = counter(limits.codesPerAccount, 'codes', 10 * MINUTE_MS)
  const fromAnywhere = async (address: string) => {
    const { network, site } = networkKeys(address)
    await perAddress(network)
    if (site !== undefined) await perSite(site)
    return { network, site }
  }
  return {
    async atSignIn(email, address, browser) {
      const account = emailKey(email)
      if (browser !== undefined) {
        await perBrowser(browser)
        await perAccount(`known ${account}`)
        return { key: account, isKnown: true }
      }
      const { network, site } = await fromAnywhere(address)
      await perPair(JSON.stringify([account, network]))
      await perAccount(`stranger ${account}`)
      return { key: site ?? network, isKnown: false }
    },
    async atOwnPassword(userId, address) {
      await perPair(JSON.stringify(['own', userId, networkKeys(address).network]))
      await perAccount(`own ${userId}`)
      return { key: userId, isKnown: true }
    },
    async atPasskey(address) {
      await fromAnywhere(address)
    },
    async atCode(userId, address) {
      await perPair(JSON.stringify(['code', userId, networkKeys(address).network]))
      await perCodes(userId)
    },
  }
}
