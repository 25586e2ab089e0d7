/** Routes by which an administrator begins to see the admin as a role does, and stops. */

import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { AppError } from '../../server/app-error.ts'
import { addGuardedRoute, type Guard, parseForm } from '../../server/http/guarded-routes.ts'
import type { Roles } from '../../table/roles/role.ts'
import type { Addresses } from '../addresses.ts'
import type { Cookies } from '../sign-in/cookies.ts'
import { canLookAs, type Looking } from '../sign-in/looking.ts'

export type LookingRoutes = {
  readonly addresses: Addresses
  readonly guard: Guard
  readonly looking: Looking
  readonly cookies: Pick<Cookies, 'clearLooking'>
  readonly roles: Roles
}

const formSchema = v.object({ role: v.pipe(v.string(), v.maxLength(64)) })

const FORM = { sends: 'form', bodyBytes: 16 * 1024, stranger: 'SIGN_IN_REQUIRED' } as const

/** Both load a whole document, so that nothing on the page is of somebody else. */
export function addLookingRoutes(
  app: FastifyInstance,
  { addresses, guard, looking, cookies, roles }: LookingRoutes,
): void {
  addGuardedRoute(app, guard, {
    ...{ ...FORM, path: addresses.seeAs },
    read: (body) => parseForm(formSchema, body),
    handle({ reply, visitor, body: { role } }) {
      if (visitor.actor.role !== 'admin') throw new AppError('FORBIDDEN')
      if (!canLookAs(role, roles)) throw new AppError('NOT_FOUND')
      looking.begin(reply, visitor, role)
      return reply.header('clear-site-data', '"cache"').redirect(addresses.start, 303)
    },
  })

  addGuardedRoute(app, guard, {
    ...{ ...FORM, path: addresses.stopSeeing, whileLooking: true },
    read: () => undefined,
    handle({ reply }) {
      cookies.clearLooking(reply)
      return reply.header('clear-site-data', '"cache"').redirect(addresses.roles, 303)
    },
  })
}
