/** Liveness and readiness, for load balancers and supervisors. */

import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Metadata } from '../database/metadata/metadata.ts'
import type { RowSource } from '../table/source/row-source.ts'
import type { Addresses } from './addresses.ts'

/** How long a readiness answer is reused, so that frequent probes cost nothing, ms. */
const KEEP_MS = 1000

export type HealthRoutes = {
  readonly source: RowSource
  readonly metadata: Metadata
  readonly dataFolder: string
  readonly addresses: Addresses
  readonly now: () => number
}

export function addHealthRoutes(app: FastifyInstance, services: HealthRoutes): void {
  const { source, metadata, dataFolder, addresses, now } = services
  app.get(addresses.health, (_request, reply) => reply.send({ status: 'ok' }))

  let last: { at: number; ready: Promise<boolean> } | null = null
  const check = () =>
    Promise.all([
      // Other methods of a source may answer from a cache; this one reaches the database.
      source.describe(),
      metadata.users.firstAdministrator(),
      access(dataFolder, constants.W_OK),
    ]).then(
      () => true,
      () => false,
    )
  app.get(addresses.ready, async (_request, reply) => {
    if (!last || now() - last.at > KEEP_MS) last = { at: now(), ready: check() }
    const ready = await last.ready
    if (!ready) reply.header('retry-after', '1')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
}
