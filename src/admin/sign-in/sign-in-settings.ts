/** The settings of signing in: the environment, else the option of the admin. */

import * as v from 'valibot'
import { type OidcOptions, oidcOptionsSchema } from './oidc-settings.ts'

export type SignInOptions = {
  /** Whether everybody needs a second factor beside their password. Default: it is their own choice. */
  readonly twoFactors?: 'optional' | 'required' | undefined
  /** Who comes in through an OpenID provider, and in which role. Default: nobody. */
  readonly oidc?: OidcOptions | undefined
}

export const signInOptionsSchema = v.strictObject({
  twoFactors: v.optional(v.picklist(['optional', 'required'])),
  oidc: v.optional(oidcOptionsSchema),
})

/** Throws one sentence for a setting that cannot be right. */
export function requiresSecondFactor({
  signIn = {},
  env = {},
}: {
  readonly signIn?: SignInOptions | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}): boolean {
  const named = env['TABLEWIRE_TWO_FACTORS'] || signIn.twoFactors || 'optional'
  if (named !== 'optional' && named !== 'required')
    throw new Error(`TABLEWIRE_TWO_FACTORS is [${named}]; it must be optional or required.`)
  return named === 'required'
}
