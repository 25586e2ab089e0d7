/** Who makes a request. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShellView } from '../../protocol/admin-view.ts'
import { HEADERS } from '../../protocol/wire.ts'
import { AppError } from '../../server/app-error.ts'
import type { Visitor } from '../../server/visitor.ts'

/** How people are known: by accounts of our own, or by the sign-in of a host. */
export type SignIn = {
  authenticate(request: FastifyRequest): Promise<Visitor | undefined>
  /** Where people sign in who are to be led back to `returnTo`, one of our own addresses. */
  signInHref(returnTo: string): Promise<string>
  /** What the token of a visitor is bound to who is not signed in; `''` where there is no use for it. */
  anonymous(request: FastifyRequest, reply: FastifyReply): string
  /** Where one's own account is, and the way out. */
  readonly links: Omit<ShellView['links'], 'start'>
}

export type Visitors = Pick<SignIn, 'signInHref'> & {
  /** The signed-in person, or `undefined`. */
  authenticate(request: FastifyRequest): Promise<Visitor | undefined>
  /** The same, asked once for each request: a page needs to know in several places. */
  find(request: FastifyRequest): Promise<Visitor | undefined>
  /**
   * The signed-in person. Otherwise a person is sent to where one signs in, which leads back here,
   * and `undefined` is returned; a request for data is refused with `SIGN_IN_REQUIRED`.
   */
  require(request: FastifyRequest, reply: FastifyReply): Promise<Visitor | undefined>
}

export function createVisitors({ authenticate, signInHref }: SignIn): Visitors {
  const known = new WeakMap<FastifyRequest, Promise<Visitor | undefined>>()

  const find = (request: FastifyRequest) => {
    let visitor = known.get(request)
    if (!visitor) known.set(request, (visitor = authenticate(request)))
    return visitor
  }

  return {
    authenticate,
    find,
    signInHref,
    async require(request, reply) {
      const visitor = await find(request)
      if (visitor) return visitor
      if (request.headers[HEADERS.navigate.toLowerCase()] !== undefined)
        throw new AppError('SIGN_IN_REQUIRED')
      reply.redirect(await signInHref(request.url), 303)
      return undefined
    },
  }
}
