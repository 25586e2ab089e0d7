/** Refuses requests for foreign names of hosts: another site may point its name here (DNS rebinding). */

import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'

const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+?)\.?)(?::\d{1,5})?$/i

/** Whether a `Host` header names an IP address, a loopback name, or one of `names`. */
export function isOwnHost(host: string | undefined, names: readonly string[]): boolean {
  const [, v6, name = ''] = HOST.exec(host ?? '') ?? []
  if (v6 !== undefined) return isIP(v6) === 6
  const lower = name.toLowerCase()
  // Nobody can own a name below `localhost` (RFC 6761), nor point an address elsewhere.
  return (
    isIP(lower) === 4 ||
    /^(?:.+\.)?localhost$/.test(lower) ||
    names.some((own) => own.toLowerCase() === lower)
  )
}

/** Answers only requests for own hosts, except at the `exempt` paths. */
export function refuseOtherHosts(
  app: FastifyInstance,
  names: readonly string[],
  exempt: readonly string[],
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const [path = ''] = request.url.split('?', 1)
    const isAnswered = isOwnHost(request.headers.host, names) || exempt.includes(path)
    done(isAnswered ? undefined : new AppError('HOST_UNKNOWN'))
  })
}
