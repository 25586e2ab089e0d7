/** Sign-in for an admin: with its own accounts, or through the application around it. */

import { createHash, randomBytes } from 'node:crypto'
import type { KeyRing } from '../../server/keys.ts'
import { createAccounts } from '../accounts/accounts.ts'
import { roleNames } from '../accounts/role-texts.ts'
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
import { createOidcClient } from '../sign-in/oidc-client.ts'
import { readOidcSettings } from '../sign-in/oidc-settings.ts'
import { createOidcSignIn, type OidcSignIn } from '../sign-in/oidc-sign-in.ts'
import { requiresSecondFactor } from '../sign-in/sign-in-settings.ts'
import { createVisitors } from '../sign-in/visitors.ts'
import type { AdminOptions } from './admin-options.ts'
import type { Foundation } from './foundation.ts'

export type People = ReturnType<typeof createPeople>

export function createPeople(foundation: Foundation, options: AdminOptions) {
  const { metadata, addresses, keys, recordKeys, database, url, now } = foundation
  const { auth, signIn: signInOptions, env, log, roles = {} } = options
  const oidc = auth ? undefined : oidcOf(foundation, options)
  if (auth && env?.['OIDC_ISSUER'])
    log?.('OIDC_ISSUER counts for nothing: the application around Tablewire signs people in.')
  const accounts = createAccounts({
    ...{ metadata, now, randomBytes, sealer: recordKeys },
    requiresSecondFactor: requiresSecondFactor({ signIn: signInOptions, env }),
    issuer: `Tablewire ${database.name}`,
    site: passkeySite(url, `Tablewire ${database.name}`),
    hasProvider: oidc !== undefined,
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
    oidc,
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

/** Throws one sentence for settings that cannot be right. */
function oidcOf(
  { metadata, addresses, keys, url, now }: Foundation,
  { signIn, env, log, roles = {} }: AdminOptions,
): OidcSignIn | undefined {
  const settings = readOidcSettings(signIn?.oidc, env, roleNames(roles))
  if (!settings) {
    if (signIn?.oidc) log?.('Nobody signs in by OpenID Connect: OIDC_ISSUER is not set.')
    return undefined
  }
  if (!url)
    throw new Error(
      'OIDC_ISSUER is set, but not the address that the provider leads back to: start Tablewire with --url.',
    )
  const client = createOidcClient({ settings, redirectUri: url.origin + addresses.oidcBack, now })
  return createOidcSignIn({ client, sealer: keys, limits: metadata.limits, now })
}

/** A short public id, different for every secret. */
const instanceOf = (keys: KeyRing): string =>
  createHash('sha256').update(keys.sign('visitor', 'instance').mac).digest('hex').slice(0, 8)
