/** Reads what an OpenID provider says of somebody: who they are, and which role they get. */

import type { Role } from '../../server/actor.ts'
import { propertyOf } from '../../server/property-of.ts'
import type { ProvidedPerson } from '../accounts/provided.ts'
import type { OidcRoles, OidcSettings } from './oidc-settings.ts'

/** The claims of a token, which its reader has checked, with those that were asked for besides. */
export type Claims = { readonly iss: string; readonly sub: string } & Readonly<
  Record<string, unknown>
>

/**
 * The claims of a token, with what else its provider tells. The token is signed for this Tablewire, so it goes first;
 * whether an address is verified is told by the one that has the address.
 */
export function withMore(claims: Claims, more: Readonly<Record<string, unknown>>): Claims {
  const { email, email_verified } = claims['email'] === undefined ? more : claims
  return { ...more, ...claims, email, email_verified }
}

type Rules = Pick<OidcSettings, 'claim' | 'roles' | 'trustsAddresses'>

export function personOf(claims: Claims, { claim, roles, trustsAddresses }: Rules): ProvidedPerson {
  const { iss: issuer, sub: subject, email, email_verified: verified, amr } = claims
  const isVerified = verified === true || verified === 'true'
  const isTaken = isVerified || (verified === undefined && trustsAddresses)
  return {
    ...{ issuer, subject, name: nameOf(claims) },
    email: isTaken && typeof email === 'string' ? email : undefined,
    role: roleOf(valuesOf(claims, claim), roles),
    // By RFC 8176, the provider has asked for more than one factor.
    isStrong: Array.isArray(amr) && amr.includes('mfa'),
  }
}

/** Longest name, characters, as for people who enter it. */
const NAME_CHARACTERS = 200

/** The name of a person, without what nobody sees in it; empty where there is none. */
function nameOf({ name, preferred_username: username }: Claims): string {
  const [called = ''] = [name, username].filter((text) => typeof text === 'string')
  return called.replace(/\p{C}/gu, '').trim().slice(0, NAME_CHARACTERS)
}

/** What a claim holds, as texts. A name with dots may be that of a claim, or the way to a value within one. */
function valuesOf(claims: Claims, claim: string): readonly string[] {
  const found = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim.split('.').reduce<unknown>((within, name) => propertyOf(within, name), claims)
  return [found].flat().flatMap((value) => (isPlain(value) ? String(value) : []))
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** The first role that fits; `undefined` for somebody who may not come in. */
const roleOf = (values: readonly string[], roles: OidcRoles): Role | undefined =>
  Object.entries(roles).find(
    ([, wanted]) => wanted === true || [wanted].flat().some((one) => values.includes(one)),
  )?.[0]
