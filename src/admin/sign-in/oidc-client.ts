/** Speaks with the OpenID provider: where the browser is sent, and whom it comes back as. */

import { isIP } from 'node:net'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { AppError } from '../../server/app-error.ts'
import { loadPackage } from '../../server/optional-package.ts'
import { propertyOf } from '../../server/property-of.ts'
import { isPublic } from '../../server/upload/remote-address.ts'
import type { ProvidedPerson } from '../accounts/provided.ts'
import { type Claims, personOf, withMore } from './oidc-claims.ts'
import { isOnThisMachine, type OidcSettings } from './oidc-settings.ts'

/** What the browser keeps while its person is at the provider. */
export type Begun = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type OidcClient = {
  /** What the provider is called. */
  readonly name: string
  /** Where its person is asked. Throws `PROVIDER_UNAVAILABLE`. */
  begin(): Promise<{ readonly url: URL; readonly begun: Begun }>
  /**
   * Whom the provider has named, by the address that the browser came back to. Throws `PROVIDER_UNAVAILABLE`, and
   * `PROVIDER_ANSWER` for whatever is not the provider’s own answer to what was begun, for the first time.
   */
  finish(address: URL, begun: Begun): Promise<ProvidedPerson>
}

export type OidcClientOptions = {
  readonly settings: OidcSettings
  /** Where the browser comes back to; the provider knows it, too. */
  readonly redirectUri: string
  readonly now: () => number
}

/** Most seconds that the provider may take for an answer. */
const ANSWER_SECONDS = 10
/** How long it is believed where its parts are, ms. */
const KNOWN_MS = 60 * 60_000

const library = async () => {
  try {
    const use = 'signing in by OpenID Connect'
    return await loadPackage(use, 'openid-client', () => import('openid-client'))
  } catch (cause) {
    throw unavailable(cause)
  }
}

export function createOidcClient({ settings, redirectUri, now }: OidcClientOptions): OidcClient {
  const { scopes } = settings
  const scope = ['openid', 'profile', 'email', ...scopes].join(' ')
  const provider = discovering(settings, now)
  return {
    name: settings.name,
    async begin() {
      const { buildAuthorizationUrl, ...random } = await library()
      const verifier = random.randomPKCECodeVerifier()
      const begun = { state: random.randomState(), nonce: random.randomNonce(), verifier }
      const { state, nonce } = begun
      const url = buildAuthorizationUrl(await provider(), {
        ...{ redirect_uri: redirectUri, scope, state, nonce, code_challenge_method: 'S256' },
        code_challenge: await random.calculatePKCECodeChallenge(verifier),
      })
      if (!isAsked(url, settings.issuer)) throw unavailable(new Error(`It leads to ${url.origin}.`))
      return { url, begun }
    },
    async finish(address, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await library()
      const configuration = await provider()
      const callback = new URL(redirectUri)
      callback.search = address.search
      try {
        const tokens = await authorizationCodeGrant(configuration, callback, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
          idTokenExpected: true,
        })
        const claims: Claims | undefined = tokens.claims()
        if (!claims) throw new Error('There is no ID token.')
        // The library looks at it where there are several audiences only.
        if (claims['azp'] !== undefined && claims['azp'] !== settings.clientId)
          throw new Error('The ID token is for another party.')
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
        const more = hasMore
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {}
        return personOf(withMore(claims, more), settings)
      } catch (cause) {
        throw isUnavailable(cause) ? unavailable(cause) : new AppError('PROVIDER_ANSWER', { cause })
      }
    },
  }
}

/** Asks the provider where its parts are, on first use and each hour. Throws `PROVIDER_UNAVAILABLE`. */
function discovering(settings: OidcSettings, now: () => number): () => Promise<Configuration> {
  let known: { readonly at: number; readonly configuration: Promise<Configuration> } | undefined
  return async () => {
    if (!known || now() - known.at > KNOWN_MS) {
      const asked = { at: now(), configuration: discover(settings) }
      known = asked
      asked.configuration.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.configuration
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const openid = await library()
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = openid
  const [basic, post] = [
    openid.ClientSecretBasic(clientSecret),
    openid.ClientSecretPost(clientSecret),
  ]
  const authenticate: ClientAuth = (provider, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = provider
    return (methods.includes('client_secret_basic') ? basic : post)(provider, ...request)
  }
  try {
    return await discovery(issuer, clientId, clientSecret, authenticate, {
      timeout: ANSWER_SECONDS,
      [customFetch]: fetchFrom(issuer),
      execute: [
        enableNonRepudiationChecks,
        ...(isOnThisMachine(issuer) ? [allowInsecureRequests] : []),
      ],
    })
  } catch (cause) {
    throw unavailable(cause)
  }
}

const fetchFrom =
  (issuer: URL): CustomFetch =>
  (address, options) => {
    if (!isAsked(new URL(address), issuer)) throw new Error(`It leads to ${address}.`)
    // What is sent to a provider here is a form.
    const body = options.body instanceof URLSearchParams ? options.body : null
    return fetch(address, { ...options, body })
  }

/** A provider leads neither to this machine nor into its network, unless it is there itself. */
function isAsked(url: URL, issuer: URL): boolean {
  if (isOnThisMachine(issuer)) return isOnThisMachine(url)
  if (url.protocol !== 'https:') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return (
    url.hostname === issuer.hostname || (isIP(host) === 0 ? host !== 'localhost' : isPublic(host))
  )
}

const unavailable = (cause: unknown): AppError =>
  new AppError('PROVIDER_UNAVAILABLE', { cause: new Error(reasonOf(cause), { cause }) })

/** The library says in its message what it expected, and further on what came. */
function reasonOf(error: unknown): string {
  const cause = propertyOf(error, 'cause')
  const messages = [error, cause].flatMap((one) => (one instanceof Error ? one.message : []))
  // Errors of OAuth, as they are answered and as they stand in a header.
  const [challenge] = Array.isArray(cause) ? cause : []
  const codes = [error, propertyOf(challenge, 'parameters')].map((one) => propertyOf(one, 'error'))
  return [...messages, ...codes.filter((code) => typeof code === 'string')].join(': ')
}

/** What providers say that cannot answer, or do not know this Tablewire (RFC 6749 §4.1.2.1, §5.2). */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
])

/** Whether it is the provider that fails, whoever asks. */
function isUnavailable(error: unknown): boolean {
  const [code, cause] = [propertyOf(error, 'code'), propertyOf(error, 'cause')]
  // `fetch` says so where nobody answers.
  if (error instanceof TypeError && code === undefined) return true
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return true
  if (UNAVAILABLE.has(propertyOf(error, 'error'))) return true
  return cause instanceof Response && cause.status >= 500
}
