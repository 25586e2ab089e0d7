/** Finds out who reads a document before its headers are written, since its content policy depends on that. */

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../server/actor.ts'
import { isEmbedded } from '../../server/http/embedding.ts'
import type { Addresses } from '../addresses.ts'
import type { Visitors } from '../sign-in/visitors.ts'
import type { ActorOf } from './features.ts'

export type DocumentReaders = {
  /** Looks who makes the request, before any header of the answer is written. */
  look(request: FastifyRequest): Promise<void>
  readonly actorOf: ActorOf
}

export function documentReaders(
  visitors: Pick<Visitors, 'find'>,
  { assets, health, ready }: Addresses,
): DocumentReaders {
  const actors = new WeakMap<IncomingMessage, Actor>()
  // Files and reports of health load nothing, and nobody need be known for them.
  const isDocument = (url: string): boolean => {
    const [path = ''] = url.split('?', 1)
    return !url.startsWith(assets) && ![health, ready].includes(path)
  }

  return {
    async look(request) {
      if (!isDocument(request.url) || isEmbedded(request.headers)) return
      // The page itself asks again, and tells what has failed.
      const visitor = await visitors.find(request).catch(() => undefined)
      if (visitor) actors.set(request.raw, visitor.actor)
    },
    actorOf: (request) => actors.get(request),
  }
}
