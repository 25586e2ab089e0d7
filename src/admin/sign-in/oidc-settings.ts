/** The settings of signing in through an OpenID provider: the environment, else the option of the admin. */

import * as v from 'valibot'
import type { Role } from '../../server/actor.ts'

export type OidcOptions = {
  /** What the provider calls itself, such as `https://id.example.org`. */
  readonly issuer?: string | undefined
  /** As whom it knows this Tablewire; the secret is taken from the environment alone. */
  readonly clientId?: string | undefined
  /** What the button calls it: “Sign in with …”. Default: the name of its host. */
  readonly name?: string | undefined
  /** What it is asked for besides `openid`, `profile` and `email`, such as `groups`. Default: nothing. */
  readonly scopes?: readonly string[] | undefined
  /** The claim that decides who may come in; dots reach into it, as in `realm_access.roles`. Default: `groups`. */
  readonly claim?: string | undefined
  /**
   * For each role, a value of the claim, or several, or `true` for everybody whom the provider signs in. Whoever fits
   * several has the first; whoever fits none may not come in.
   */
  readonly roles?: OidcRoles | undefined
  /**
   * Whether an address is taken as verified that the provider says nothing about. Only for one where people cannot
   * choose their addresses. Default: false.
   */
  readonly trustsAddresses?: boolean | undefined
}

export type OidcRoles = { readonly [role: Role]: string | readonly string[] | true }

/** How people sign in through the provider. */
export type OidcSettings = {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly claim: string
  readonly roles: OidcRoles
  readonly trustsAddresses: boolean
}

const text = v.pipe(v.string(), v.minLength(1))
const rolesSchema = v.record(v.string(), v.union([text, v.array(text), v.literal(true)]))

export const oidcOptionsSchema = v.strictObject({
  ...{ issuer: v.optional(text), clientId: v.optional(text), name: v.optional(text) },
  ...{ scopes: v.optional(v.array(text)), claim: v.optional(text) },
  ...{ roles: v.optional(rolesSchema), trustsAddresses: v.optional(v.boolean()) },
})

type Environment = Readonly<Record<string, string | undefined>>

/** `undefined` where nobody signs in by it. Throws one sentence for a setting that cannot be right. */
export function readOidcSettings(
  options: OidcOptions = {},
  env: Environment = {},
  known: readonly Role[] = [],
): OidcSettings | undefined {
  const issuer = env['OIDC_ISSUER'] || options.issuer
  if (!issuer) return undefined
  const clientId = env['OIDC_CLIENT_ID'] || options.clientId
  const clientSecret = env['OIDC_CLIENT_SECRET']
  if (!clientId || !clientSecret)
    throw new Error(
      `${clientId ? 'OIDC_CLIENT_SECRET' : 'OIDC_CLIENT_ID'} is missing: the provider [${issuer}] has given both to this Tablewire.`,
    )
  const url = issuerOf(issuer)
  return {
    ...{ issuer: url, clientId, clientSecret },
    name: env['OIDC_NAME'] || options.name || url.host,
    scopes: options.scopes ?? [],
    claim: env['OIDC_CLAIM'] || options.claim || 'groups',
    roles: rolesOf(env['OIDC_ROLES'], options.roles, known),
    trustsAddresses: options.trustsAddresses ?? false,
  }
}

/** Over TLS, or on this machine. */
function issuerOf(text: string): URL {
  const url = URL.parse(text)
  const isSafe = url && (url.protocol === 'https:' || isOnThisMachine(url))
  // With the address of its document, nobody would check that it is the issuer's.
  const isPlain = url && !/[?#]|\/\.well-known\//.test(url.href) && url.username === ''
  if (url && isSafe && isPlain) return url
  throw new Error(
    `OIDC_ISSUER is [${text}]; it must be like https://id.example.org, or http: on this machine.`,
  )
}

export const isOnThisMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' &&
  (hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname))

function rolesOf(
  json: string | undefined,
  stated: OidcRoles | undefined,
  known: readonly Role[],
): OidcRoles {
  const roles = json ? rolesIn(json) : stated
  if (!roles || Object.keys(roles).length === 0)
    throw new Error(
      'OIDC_ISSUER is set, but nothing says who may come in by it: set roles of signIn.oidc, or OIDC_ROLES, such as {"admin":"db-admins","viewer":true}.',
    )
  const unknown = Object.keys(roles).find((role) => !known.includes(role))
  if (unknown === undefined) return roles
  throw new Error(
    `OIDC_ROLES, or roles of signIn.oidc, names the role [${unknown}]; there are ${known.join(', ')}.`,
  )
}

function rolesIn(json: string): OidcRoles {
  try {
    return v.parse(rolesSchema, JSON.parse(json))
  } catch (cause) {
    throw new Error(
      `OIDC_ROLES is [${json}]; it must be JSON such as {"admin":"db-admins","viewer":true}.`,
      { cause },
    )
  }
}
