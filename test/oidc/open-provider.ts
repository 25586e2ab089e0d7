/** A real OpenID provider on this machine, and people who sign in at it. */

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Context, Provider } from 'oidc-provider'

/** What the provider knows of somebody, besides its own name for them. */
export type ProvidedClaims = Readonly<Record<string, unknown>> & {
  /** How they have shown who they are; it is told in the token. */
  readonly amr?: readonly string[]
}

export type OpenedProvider = {
  readonly issuer: string
  readonly client: { readonly id: string; readonly secret: string }
  /** Another application of the same provider. */
  readonly other: { readonly id: string; readonly secret: string }
  /** By subject; changes count at the next sign-in. */
  readonly people: Map<string, ProvidedClaims>
  /** Signs somebody in at the address that Tablewire leads to; returns the one that their browser comes back to. */
  signIn(address: string, subject: string): Promise<URL>
  /** Answers everything with 503, or not. */
  setDown(isDown: boolean): void
  close(): Promise<void>
}

export type ProviderOptions = {
  /** Where each of both applications is led back to. */
  readonly redirectUris: readonly string[]
  /** Whether tokens hold what was asked for, and not the address for it alone. Default: false. */
  readonly tellsInTokens?: boolean
}

const OTHER = 'http://127.0.0.1:1/other'

export async function openProvider(options: ProviderOptions): Promise<OpenedProvider> {
  const people = new Map<string, ProvidedClaims>()
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  let isDown = false
  const server = createServer((request, response) => {
    if (isDown) response.writeHead(503).end()
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const [client, other] = [
    { id: 'tablewire', secret: randomUUID() },
    { id: 'other', secret: randomUUID() },
  ]
  const provider = quietly(
    () => new Provider(issuer, configurationOf(options, people, client, other)),
  )
  const callback = provider.callback()
  answer = (request, response) => {
    const [, subject] = /^\/interaction\/[^/]+\/(\w+)$/.exec(request.url ?? '') ?? []
    if (subject === undefined) return callback(request, response)
    const login = { accountId: subject, amr: people.get(subject)?.amr, remember: false }
    void provider.interactionFinished(request, response, { login })
  }
  return {
    ...{ issuer, client, other, people },
    signIn: (address, subject) => walk(address, subject, issuer),
    setDown: (now) => void (isDown = now),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function configurationOf(
  { redirectUris, tellsInTokens = false }: ProviderOptions,
  people: ReadonlyMap<string, ProvidedClaims>,
  client: OpenedProvider['client'],
  other: OpenedProvider['client'],
): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const clientOf = ({ id, secret }: OpenedProvider['client'], uris: readonly string[]) => ({
    ...{ client_id: id, client_secret: secret, redirect_uris: [...uris] },
    ...{ grant_types: ['authorization_code'], response_types: ['code'] },
  })
  return {
    clients: [clientOf(client, redirectUris), clientOf(other, [OTHER, ...redirectUris])],
    claims: {
      ...{ openid: ['sub', 'amr'], profile: ['name'], email: ['email', 'email_verified'] },
      groups: ['groups'],
    },
    conformIdTokenClaims: !tellsInTokens,
    cookies: { keys: [randomUUID()] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: Context, accountId: string) =>
      people.has(accountId) && {
        accountId,
        claims: () => ({ sub: accountId, ...people.get(accountId), amr: undefined }),
      },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] },
    loadExistingGrant: async ({ oidc }: Context) => {
      const { clientId } = oidc.client
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  }
}

/** It warns of what only a lasting provider needs. */
function quietly<T>(make: () => T): T {
  const { info, warn } = console
  try {
    console.info = console.warn = () => undefined
    return make()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** A browser in which somebody says who they are, and nothing else. */
async function walk(address: string, subject: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  for (let hops = 0; hops < 8 && url.origin === issuer; hops++) {
    const isAsked = /^\/interaction\/[^/]+$/.test(url.pathname)
    const response = await fetch(isAsked ? `${url.href}/${subject}` : url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`${url.href}: ${response.status} ${await response.text()}`)
    url = new URL(location, url)
  }
  return url
}
