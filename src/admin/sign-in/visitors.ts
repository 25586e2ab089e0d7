/** Finds out who makes a request. */

import type { Actor } from '../../server/actor.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShellView } from '../../protocol/admin-view.ts'
import { AppError } from '../../server/app-error.ts'
import { isNavigation } from '../../server/http/navigation.ts'
import type { Visitor } from '../../server/visitor.ts'

/** How people sign in: with Tablewire's own accounts, or through the host. */
export type SignIn = {
  authenticate(request: FastifyRequest): Promise<Visitor | undefined>
  /**
   * Who is still signed in of those whom `authenticate` has found for an earlier request. Where it can be
   * avoided, asking does not count as use of their session.
   */
  stillSignedIn(request: FastifyRequest): Promise<Visitor | undefined>
  /** A person who is not signed in. Throws `FORBIDDEN` where the application's sign-in cannot tell. */
  find(id: string): Promise<Actor | undefined>
  /** Address of the sign-in page that leads back to `returnTo`, one of the admin's addresses. */
  signInHref(returnTo: string): Promise<string>
  /** CSRF binding for anonymous visitors; `''` if they have no forms. */
  anonymous(request: FastifyRequest, reply: FastifyReply): string
  /** The link to sign out. */
  readonly links: Pick<ShellView['links'], 'signOut'>
}

export type Visitors = Pick<SignIn, 'signInHref'> & {
  /** The signed-in person, or `undefined`; cached per request, because a page needs it in several places. */
  find(request: FastifyRequest): Promise<Visitor | undefined>
  /**
   * The signed-in person. For an anonymous visitor, redirects to the sign-in page, which leads back
   * here, and returns `undefined`; a request for data throws `SIGN_IN_REQUIRED` instead.
   */
  require(request: FastifyRequest, reply: FastifyReply): Promise<Visitor | undefined>
}

/** A copy, so that nothing cached for this actor outlives the request. */
const ofOneRequest = (visitor: Visitor | undefined): Visitor | undefined =>
  visitor && { ...visitor, actor: { ...visitor.actor } }

export function createVisitors({
  authenticate,
  signInHref,
}: Pick<SignIn, 'authenticate' | 'signInHref'>): Visitors {
  const cache = new WeakMap<FastifyRequest, Promise<Visitor | undefined>>()

  const find = (request: FastifyRequest) => {
    let visitor = cache.get(request)
    if (!visitor) cache.set(request, (visitor = authenticate(request).then(ofOneRequest)))
    return visitor
  }

  return {
    find,
    signInHref,
    async require(request, reply) {
      const visitor = await find(request)
      if (visitor) return visitor
      if (isNavigation(request)) throw new AppError('SIGN_IN_REQUIRED')
      reply.redirect(await signInHref(request.url), 303)
      return undefined
    },
  }
}
