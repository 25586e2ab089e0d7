/** Verifies that an HTTP request was signed recently with the application's secret. */

import type { FastifyRequest } from 'fastify'
import { propertyOf } from '../server/property-of.ts'
import { sameText } from '../server/keys.ts'
import { LIMITS } from './limits.ts'
import { bodyDigest, isSignedRequest, type RealtimeApp } from './signatures.ts'

/** Refuses a request of the API. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}

export type AppRequest = {
  readonly parameters: ReadonlyMap<string, string>
  readonly body?: Buffer | undefined
}

/**
 * Checks what is known before the body is read. A request may be repeated as long as its time is
 * recent, as with the hosted service: TLS has to keep it from others.
 */
export function checkRequest(app: RealtimeApp, now: number, request: FastifyRequest): AppRequest {
  if (propertyOf(request.params, 'id') !== app.id) throw new ApiError(404, 'There is no such app.')
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = parametersOf(query)
  if (
    !sameText(parameters.get('auth_key') ?? '', app.key) ||
    parameters.get('auth_version') !== '1.0'
  )
    throw new ApiError(401, 'The key or version of the signature is unknown.')
  const time = parameters.get('auth_timestamp') ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(Number(time) * 1000 - now) > LIMITS.requestAgeMs)
    throw new ApiError(401, 'The time of the signature is not now.')
  if (!isSignedRequest(app.secret, { method: request.method, path, parameters }))
    throw new ApiError(401, 'The signature is not valid.')
  return { parameters }
}

/** The body, if it is the one that was signed. */
export function checkBody({ parameters }: AppRequest, body: unknown): Buffer | undefined {
  const bytes = Buffer.isBuffer(body) && body.length > 0 ? body : undefined
  const digest = parameters.get('body_md5')
  if (bytes && !sameText(bodyDigest(bytes), digest ?? ''))
    throw new ApiError(401, 'The digest of the body is not valid.')
  if (!bytes && digest !== undefined && digest !== bodyDigest(Buffer.alloc(0)))
    throw new ApiError(401, 'The body is missing.')
  return bytes
}

/** The same name twice would be one parameter to one reader and another to the next. */
function parametersOf(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    const lower = name.toLowerCase()
    if (parameters.has(lower)) throw new ApiError(400, 'A parameter is given twice.')
    parameters.set(lower, value)
  }
  return parameters
}
