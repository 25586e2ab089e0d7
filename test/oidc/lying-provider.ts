/** A provider that a test tells what to answer, so that it can lie in every way. */

import {
  createHmac,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the provider answers about one code. */
export type Told = {
  /** Laid over what a true token says; `undefined` leaves a claim out. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Laid over the header of the token. */
  readonly header?: Readonly<Record<string, unknown>>
  /** How the token is signed. Default: as it should be. */
  readonly signed?: 'by another' | 'by the secret' | 'by the public key' | 'not at all' | 'before'
  /** Laid over the answer with the token. */
  readonly answer?: Readonly<Record<string, unknown>>
  /** Laid over what is told besides the token. */
  readonly more?: Readonly<Record<string, unknown>>
}

export type LyingProvider = {
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
  /** Gives a code out for somebody, for whoever brings it with the nonce of their own. */
  grant(code: string, nonce: string, subject: string, told?: Told): void
  close(): Promise<void>
}

export async function openLyingProvider(): Promise<LyingProvider> {
  const [own, others] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  if (!own || !others) throw new Error('There are no keys.')
  const [clientId, secret] = ['tablewire', 'a secret that only both of them know']
  const codes = new Map<string, { nonce: string; subject: string; told: Told }>()
  let issuer = ''
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  function tokenOf({ nonce, subject, told }: { nonce: string; subject: string; told: Told }) {
    const at = Math.floor(Date.now() / 1000)
    const header = { alg: 'RS256', kid: 'one', ...told.header }
    const honest = { iss: issuer, sub: subject, aud: clientId, iat: at, exp: at + 300, nonce }
    const claims = { ...honest, ...told.claims }
    const text = `${json(header)}.${json(claims)}`
    const by = (key: KeyObject, signed = text) =>
      createSign('sha256').update(signed).sign(key, 'base64url')
    const hmac = (key: string | Buffer) =>
      createHmac('sha256', key).update(text).digest('base64url')
    const signatures = {
      'by another': () => by(others!.privateKey),
      'by the secret': () => hmac(secret),
      'by the public key': () => hmac(pem(own!.publicKey)),
      'not at all': () => '',
      before: () => by(own!.privateKey, `${json(header)}.${json(honest)}`),
    }
    return `${text}.${told.signed ? signatures[told.signed]() : by(own!.privateKey)}`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const parts: string[] = []
    for await (const chunk of request) parts.push(String(chunk))
    const say = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return say({
          ...{
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
          },
          ...{ userinfo_endpoint: `${issuer}/me`, jwks_uri: `${issuer}/keys` },
          ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        })
      case '/keys':
        return say({
          keys: [{ ...createPublicKey(pem(own!.publicKey)).export({ format: 'jwk' }), kid: 'one' }],
        })
      case '/token': {
        const code = new URLSearchParams(parts.join('')).get('code') ?? ''
        const granted = codes.get(code)
        if (!granted) return say({ error: 'invalid_grant' }, 400)
        return say({
          ...{ access_token: code, token_type: 'Bearer', expires_in: 300 },
          ...{ id_token: tokenOf(granted), ...granted.told.answer },
        })
      }
      case '/me': {
        const code = /^Bearer (.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
        const granted = codes.get(code)
        return granted ? say({ sub: granted.subject, ...granted.told.more }) : say({}, 401)
      }
      default:
        return say({}, 404)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  issuer = `http://127.0.0.1:${port}`
  return {
    ...{ issuer, clientId, secret },
    grant: (code, nonce, subject, told = {}) => void codes.set(code, { nonce, subject, told }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const pem = (key: KeyObject): string => String(key.export({ type: 'spki', format: 'pem' }))
