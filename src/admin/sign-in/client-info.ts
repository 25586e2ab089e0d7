/** What is noted of the client that signs in. */

import type { FastifyRequest } from 'fastify'
import type { ClientInfo } from '../accounts/sign-in-sessions.ts'

export const clientInfo = (request: FastifyRequest): ClientInfo => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})
