/** The other tables that a condition reads, each with the actor's access to it. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from './access.ts'
import type { Predicate } from './predicate.ts'

/**
 * All tables that `predicate` and the policies of those tables read, directly or not. A table that
 * the actor may not see is left out, since no row of it matches. Throws `SERVER_ERROR` if the row
 * conditions of policies form a cycle, which has no defined meaning.
 */
export const relatedAccesses = (access: Access, predicate: Predicate): Access[] =>
  accessesIn(access, predicate, NO_TABLES)

/** The tables whose policies are being followed, outermost first. */
type Following = readonly string[]

const NO_TABLES: Following = []

function accessesIn(access: Access, predicate: Predicate, following: Following): Access[] {
  switch (predicate.op) {
    case 'and':
    case 'or':
      // The usual case: a policy without conditions.
      return predicate.all.length === 0
        ? []
        : predicate.all.flatMap((part) => accessesIn(access, part, following))
    case 'not':
      return accessesIn(access, predicate.of, following)
    case 'related':
    case 'referred': {
      const other = access.related(predicate.table)
      if (!other) return []
      return [
        other,
        ...policyOf(other, following),
        ...accessesIn(other, predicate.where, following),
      ]
    }
    default:
      return []
  }
}

function policyOf(access: Access, following: Following): Access[] {
  const { name } = access.table
  const isFollowed = following.includes(name)
  if (isFollowed && readsOtherTables(access.grant.rows)) throw cycleError([...following, name])
  return isFollowed ? [] : accessesIn(access, access.grant.rows, [...following, name])
}

/** The tables that the policy's condition on rows reads. */
export const policyAccesses = (access: Access): Access[] => policyOf(access, NO_TABLES)

/** Whether a condition reads another table. */
function readsOtherTables(predicate: Predicate): boolean {
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.all.some(readsOtherTables)
  if (predicate.op === 'not') return readsOtherTables(predicate.of)
  return predicate.op === 'related' || predicate.op === 'referred'
}

/** The tables may be hidden from the actor, so only the log names them, as the cause. */
const cycleError = (tables: readonly string[]): AppError =>
  new AppError('SERVER_ERROR', {
    cause: new TypeError(
      `The policy's conditions on rows refer to one another in a circle: ${tables.map((name) => `[${name}]`).join(' → ')}.`,
    ),
  })
