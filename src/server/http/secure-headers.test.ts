import fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { secureHeaders, type SecureHeadersOptions } from './secure-headers.ts'

function serve(options: SecureHeadersOptions = {}): FastifyInstance {
  const app = fastify()
  secureHeaders(app, options)
  app.get('/', (_request, reply) => reply.send(reply.nonce))
  return app
}

async function ask(app: FastifyInstance, headers = {}) {
  const { headers: sent, body: nonce } = await app.inject({ url: '/', headers })
  const directives = String(sent['content-security-policy'])
    .split(';')
    .map((one): [string, string] => [
      one.slice(0, one.indexOf(' ')),
      one.slice(one.indexOf(' ') + 1),
    ])
  return { sent, nonce, policy: Object.fromEntries(directives) }
}

test('a document loads from its own origin, and scripts and styles by its own nonce', async () => {
  const app = serve()
  const { sent, nonce, policy } = await ask(app)
  const own = `'self' 'nonce-${nonce}'`
  expect(nonce).toMatch(/^[\da-f]{32}$/)
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': own,
    'style-src': own,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'media-src': "'none'",
    'frame-src': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'object-src': "'none'",
  })
  expect(sent).toMatchObject({
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
  })
  expect(sent).not.toHaveProperty('strict-transport-security')
  expect((await ask(app)).nonce, 'the next one').not.toBe(nonce)
})

test('what each reader uses is let in for them alone', async () => {
  const app = serve({
    features: [
      {
        sources: { img: ['https://tiles.example.org', 'data:'] },
        isUsed: ({ headers }) => headers['x-maps'] === 'yes',
      },
      { sources: { media: ['https:'] }, isUsed: () => true },
    ],
  })
  for (let round = 0; round < 2; round++) {
    expect((await ask(app)).policy).toMatchObject({
      'img-src': "'self' data:",
      'media-src': 'https:',
    })
    expect((await ask(app, { 'x-maps': 'yes' })).policy).toMatchObject({
      'img-src': "'self' data: https://tiles.example.org",
      'media-src': 'https:',
    })
  }
})

test('TLS is asked for where the whole host has it', async () => {
  const { sent } = await ask(serve({ strictTransport: true }))
  expect(sent['strict-transport-security']).toBe('max-age=31536000')
})
