/** An administrator looks at the admin as a role sees it: who does, until when, and as what. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Role } from '../../server/actor.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Visitor } from '../../server/visitor.ts'
import { isKnownRole } from '../../table/roles/role-policy.ts'
import type { Roles } from '../../table/roles/role.ts'
import type { Cookies } from './cookies.ts'
import type { SignIn } from './visitors.ts'

/** It ends by itself after an hour, ms. */
export const LOOKING_MS = 60 * 60_000

export type LookingParts = {
  readonly keys: KeyRing
  readonly cookies: Pick<Cookies, 'looking' | 'setLooking'>
  readonly now: () => number
  readonly roles: Roles
}

export type Looking = {
  /** Whoever looks has the role, and nothing that they ask to be changed is done (`Actor.isLooking`). */
  seenBy(request: FastifyRequest, visitor: Visitor | undefined): Visitor | undefined
  begin(reply: FastifyReply, visitor: Visitor, role: Role): void
}

/** When it ends, the role, the key's id, and a MAC over both and the session. */
const COOKIE = /^(\d{1,16})\.([\w-]{1,400})\.([\w-]{8})\.([\w-]{43})$/

/** Held in a cookie that is signed for one session: it ends with it, and in another one it is nothing. */
export function createLooking({ keys, cookies, now, roles }: LookingParts): Looking {
  const textOf = ({ session }: Visitor, until: number, role: Role): string =>
    JSON.stringify([session.lineage, until, role])

  function roleOf(request: FastifyRequest, visitor: Visitor): Role | undefined {
    const [, at, encoded, keyId, mac] = COOKIE.exec(cookies.looking(request) ?? '') ?? []
    if (at === undefined || encoded === undefined || keyId === undefined || mac === undefined)
      return undefined
    const until = Number(at)
    const role = Buffer.from(encoded, 'base64url').toString()
    if (until <= now() || !canLookAs(role, roles)) return undefined
    const verdict = keys.verify('looking', textOf(visitor, until, role), { keyId, mac })
    return verdict === 'valid' ? role : undefined
  }

  return {
    seenBy(request, visitor) {
      if (visitor?.actor.role !== 'admin') return visitor
      const role = roleOf(request, visitor)
      if (role === undefined) return visitor
      return { ...visitor, actor: { ...visitor.actor, role, isLooking: true } }
    },
    begin(reply, visitor, role) {
      const until = now() + LOOKING_MS
      const { keyId, mac } = keys.sign('looking', textOf(visitor, until, role))
      const encoded = Buffer.from(role).toString('base64url')
      cookies.setLooking(reply, `${until}.${encoded}.${keyId}.${mac}`)
    },
  }
}

/** As any role but one's own. */
export const canLookAs = (role: Role, roles: Roles): boolean =>
  role !== 'admin' && isKnownRole(role, roles)

/** The same sign-in, where an administrator who looks has the role: also on sockets that stay open. */
export const lookingThrough = (signIn: SignIn, { seenBy }: Looking): SignIn => ({
  ...signIn,
  authenticate: async (request) => seenBy(request, await signIn.authenticate(request)),
  stillSignedIn: async (request) => seenBy(request, await signIn.stillSignedIn(request)),
})
