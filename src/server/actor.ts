/** Who acts: a required argument of everything that reads, writes or decides. */

/** The roles that are there first, the most powerful first. */
export const ROLES = ['admin', 'editor', 'viewer'] as const

/** One of `ROLES`, or any other that the policy knows. One that it does not know may do nothing. */
export type Role = string

/** A signed-in person, or a named part of the system itself. */
export type Actor = {
  /** Stable id, unique among people. */
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}
