/** Who makes a request, asked once for each. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../server/app-error.ts'
import type { Visitor } from '../server/visitor.ts'
import type { Accounts } from './accounts/accounts.ts'
import { SIGN_IN_PATH } from './addresses.ts'
import type { Cookies } from './cookies.ts'
import { HEADERS } from '../protocol/wire.ts'

export type Visitors = {
  /** The signed-in person, or `undefined`. */
  find(request: FastifyRequest): Promise<Visitor | undefined>
  /**
   * The signed-in person. Otherwise a person is sent to the sign-in page, which leads back here,
   * and `undefined` is returned; a request for data is refused with `SIGN_IN_REQUIRED`.
   */
  require(request: FastifyRequest, reply: FastifyReply): Promise<Visitor | undefined>
}

export function createVisitors(accounts: Accounts, cookies: Cookies): Visitors {
  const known = new WeakMap<FastifyRequest, Promise<Visitor | undefined>>()

  const authenticate = async (request: FastifyRequest): Promise<Visitor | undefined> => {
    const token = cookies.session(request)
    return token === undefined ? undefined : accounts.authenticate(token)
  }

  const find = (request: FastifyRequest) => {
    let visitor = known.get(request)
    if (!visitor) known.set(request, (visitor = authenticate(request)))
    return visitor
  }

  return {
    find,
    async require(request, reply) {
      const visitor = await find(request)
      if (visitor) return visitor
      if (request.headers[HEADERS.navigate.toLowerCase()] !== undefined)
        throw new AppError('SIGN_IN_REQUIRED')
      const next = request.url === '/' ? '' : `?next=${encodeURIComponent(request.url)}`
      reply.redirect(SIGN_IN_PATH + next, 303)
      return undefined
    },
  }
}
