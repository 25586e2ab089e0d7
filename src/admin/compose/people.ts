/** Sign-in for an admin: with its own accounts, or through the application around it. */

import { createHash, randomBytes } from 'node:crypto'
import type { KeyRing } from '../../server/keys.ts'
import { createAccounts } from '../accounts/accounts.ts'
import { linkLetters } from '../mail/link-letters.ts'
import { readMailSettings } from '../mail/mail-settings.ts'
import { createMailer } from '../mail/mailer.ts'
import { passkeySite } from '../accounts/passkeys.ts'
import type { HostRequests } from '../mounts/mounts.ts'
import { createHostSignIn } from '../sign-in/auth-provider.ts'
import { createCookies } from '../sign-in/cookies.ts'
import { createKnownBrowsers } from '../sign-in/known-browser.ts'
import { createLooking, lookingThrough } from '../sign-in/looking.ts'
import { createOwnSignIn } from '../sign-in/own-sign-in.ts'
import { requiresSecondFactor } from '../sign-in/sign-in-settings.ts'
import { createVisitors } from '../sign-in/visitors.ts'
import type { AdminOptions } from './admin-options.ts'
import type { Foundation } from './foundation.ts'

export type People = ReturnType<typeof createPeople>

export function createPeople(
  { metadata, addresses, keys, recordKeys, database, url, now }: Foundation,
  { auth, signIn: signInOptions, env, log, roles = {} }: AdminOptions,
) {
  const accounts = createAccounts({
    ...{ metadata, now, randomBytes, sealer: recordKeys },
    requiresSecondFactor: requiresSecondFactor({ signIn: signInOptions, env }),
    issuer: `Tablewire ${database.name}`,
    site: passkeySite(url, `Tablewire ${database.name}`),
  })
  const secure = url?.protocol === 'https:'
  const cookies = createCookies(instanceOf(keys), secure, addresses.prefix || '/')
  const browsers = createKnownBrowsers(keys, cookies)
  const hostRequests: HostRequests = new WeakMap()
  const own = auth
    ? createHostSignIn(auth, { keys, hostRequests, now })
    : createOwnSignIn(accounts, cookies, addresses)
  const looking = createLooking({ keys, cookies, now, roles })
  const signIn = lookingThrough(own, looking)
  const visitors = createVisitors(signIn)
  const settings = auth ? undefined : readMailSettings(env)
  const letters = linkLetters({
    mailer: settings && createMailer({ settings, log }),
    addressOf: (token) => url && url.origin + addresses.link(token),
  })
  return {
    letters,
    accounts,
    cookies,
    browsers,
    hostRequests,
    signIn,
    looking,
    visitors,
    hasOwnAccounts: !auth,
  }
}

/** A short public id, different for every secret. */
const instanceOf = (keys: KeyRing): string =>
  createHash('sha256').update(keys.sign('visitor', 'instance').mac).digest('hex').slice(0, 8)
