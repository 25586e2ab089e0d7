/** A way to an OpenID provider and back, which one browser goes once. */

import * as v from 'valibot'
import type { Limits } from '../../database/metadata/limits.ts'
import { AppError } from '../../server/app-error.ts'
import type { Sealer } from '../../server/keys.ts'
import type { ProvidedPerson } from '../accounts/provided.ts'
import type { OidcClient } from './oidc-client.ts'

/** How long somebody may be at the provider, ms. */
const AWAY_MS = 10 * 60_000

/** Longest address to go on to, characters: browsers keep no cookie of more than 4 kB. */
const NEXT_CHARACTERS = 1000

export type OidcSignIn = {
  /** What the provider is called. */
  readonly name: string
  /** Where the browser goes, and what it keeps meanwhile. Throws `PROVIDER_UNAVAILABLE`. */
  begin(next: string): Promise<{ readonly href: string; readonly kept: string }>
  /** Where the browser is led afterwards; `undefined` unless it has begun here. */
  nextOf(kept: string): string | undefined
  /** Whom the provider has named. Throws `PROVIDER_ANSWER`, also for the second time, and `PROVIDER_UNAVAILABLE`. */
  finish(address: URL, kept: string): Promise<ProvidedPerson>
}

export type OidcSignInOptions = {
  readonly client: OidcClient
  readonly sealer: Sealer
  readonly limits: Pick<Limits, 'take'>
  readonly now: () => number
}

const keptSchema = v.object({
  ...{ until: v.number(), next: v.string() },
  ...{ state: v.string(), nonce: v.string(), verifier: v.string() },
})

export function createOidcSignIn(options: OidcSignInOptions): OidcSignIn {
  const { client, sealer, limits, now } = options
  /** What a browser keeps is sealed, so that it is what was begun here. */
  function open(kept: string) {
    const json = sealer.open(CONTEXT, kept)
    const begun = json === undefined ? undefined : v.parse(keptSchema, JSON.parse(json))
    return begun && begun.until > now() ? begun : undefined
  }
  return {
    name: client.name,
    async begin(next) {
      const { url, begun } = await client.begin()
      const to = next.length > NEXT_CHARACTERS ? '' : next
      const json = JSON.stringify({ ...begun, until: now() + AWAY_MS, next: to })
      return { href: url.href, kept: sealer.seal(CONTEXT, json) }
    },
    nextOf: (kept) => open(kept)?.next,
    async finish(address, kept) {
      const begun = open(kept)
      if (!begun) throw new AppError('PROVIDER_ANSWER')
      const key = JSON.stringify(['oidc', begun.state])
      const waitMs = await limits.take({ key, limit: 1, windowMs: 2 * AWAY_MS })
      if (waitMs > 0) throw new AppError('PROVIDER_ANSWER')
      return client.finish(address, begun)
    },
  }
}

const CONTEXT = 'sign-in by a provider'
