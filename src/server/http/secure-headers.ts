/** The security headers of documents: a content security policy for each, and the constant ones. */

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { memoize } from '../memoize.ts'
import { type Feature, type SourceKind, sourcesOf } from './sources.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** That of the response's content security policy, for its scripts and styles. */
    nonce: string
  }
}

export type SecureHeadersOptions = {
  /** Whether to send `Strict-Transport-Security`, for all of this host. Default: false. */
  readonly strictTransport?: boolean
  /** What documents may load from elsewhere, by feature. Default: nothing. */
  readonly features?: readonly Feature[]
}

/** The same for every document; their values are those that `helmet` chooses, but for the referrer and frames. */
const CONSTANT = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** Other hosts below ours may not have TLS. */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' }

/** Policies kept: there is one for each set of features that somebody has in use. */
const POLICIES = 100

/** Adds the headers, and a nonce, to each reply of this part of the application. */
export function secureHeaders(
  app: FastifyInstance,
  { strictTransport = false, features = [] }: SecureHeadersOptions,
): void {
  const constant = strictTransport ? { ...CONSTANT, ...STRICT_TRANSPORT } : CONSTANT
  /** The policy around its nonces; `used` has a sign for each feature. */
  const policyOf = memoize(POLICIES, (used: string) =>
    policyAround(features.filter((_feature, at) => used[at] === USED)),
  )
  app.decorateReply('nonce', '')
  app.addHook('onRequest', ({ raw }, reply, done) => {
    reply.nonce = randomBytes(16).toString('hex')
    const used = features.map(({ isUsed }) => (isUsed(raw) ? USED : '0')).join('')
    reply.headers(constant).header('content-security-policy', policyOf(used).join(reply.nonce))
    done()
  })
}

const USED = '1'

/** Where the nonce stands; no source is written so. */
const NONCE = '<nonce>'

/** The content security policy of documents that use these features, cut where the nonce stands. */
function policyAround(features: readonly Feature[]): readonly string[] {
  const from = (kind: SourceKind, ...own: string[]) =>
    [...new Set([...own, ...sourcesOf(features, kind)])].join(' ') || "'none'"
  const directives = {
    'default-src': "'none'",
    'script-src': `'self' 'nonce-${NONCE}'`,
    'style-src': `'self' 'nonce-${NONCE}'`,
    // The overlay library positions its parts by style attributes: the one allowance.
    'style-src-attr': "'unsafe-inline'",
    'img-src': from('img', "'self'", 'data:'),
    'font-src': from('font', "'self'"),
    'connect-src': from('connect', "'self'"),
    'media-src': from('media'),
    'frame-src': from('frame'),
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'object-src': "'none'",
  }
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`)
  return policy.join(';').split(NONCE)
}
