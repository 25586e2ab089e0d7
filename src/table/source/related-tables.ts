/** The tables that a condition looks at besides its own, each as the acting user may see it. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from './access.ts'
import type { Predicate } from './predicate.ts'

/**
 * All tables that `predicate` and the policies behind it look at, near and far; a table the actor may
 * not see is left out, since no row of it matches. Throws `SERVER_ERROR` where the policies' row
 * predicates refer to one another in a circle: nobody could say which rows such a policy means.
 */
export const relatedAccesses = (access: Access, predicate: Predicate): Access[] =>
  lookedAt(access, predicate, NOBODY)

/** The tables whose policies are being followed. */
type Following = readonly string[]

const NOBODY: Following = []

function lookedAt(access: Access, predicate: Predicate, following: Following): Access[] {
  switch (predicate.op) {
    case 'and':
    case 'or':
      // Nearly every policy is empty.
      return predicate.all.length === 0
        ? []
        : predicate.all.flatMap((part) => lookedAt(access, part, following))
    case 'not':
      return lookedAt(access, predicate.of, following)
    case 'related': {
      const other = access.related(predicate.table)
      if (!other) return []
      return [other, ...policyOf(other, following), ...lookedAt(other, predicate.where, following)]
    }
    default:
      return []
  }
}

function policyOf(access: Access, following: Following): Access[] {
  const { name } = access.table
  const isFollowed = following.includes(name)
  if (isFollowed && looksElsewhere(access.grant.rows)) throw circle([...following, name])
  return isFollowed ? [] : lookedAt(access, access.grant.rows, [...following, name])
}

/** The same for the rows that the policy lets the actor see. */
export const policyAccesses = (access: Access): Access[] => policyOf(access, NOBODY)

/** Whether a condition needs another table at all. */
export function looksElsewhere(predicate: Predicate): boolean {
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.all.some(looksElsewhere)
  return predicate.op === 'not' ? looksElsewhere(predicate.of) : predicate.op === 'related'
}

/** Who asks is not told: the tables may be hidden from them. The log has it as the cause. */
const circle = (tables: readonly string[]): AppError =>
  new AppError('SERVER_ERROR', {
    cause: new TypeError(
      `The policy's conditions on rows refer to one another in a circle: ${tables.map((name) => `[${name}]`).join(' → ')}.`,
    ),
  })
