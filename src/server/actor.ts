/** Who acts: a required argument of everything that reads, writes or decides. */

/** The built-in roles, the most powerful first. */
export const ROLES = ['admin', 'editor', 'viewer'] as const

export type Role = (typeof ROLES)[number]

/** A signed-in person, or a named part of the system itself. */
export type Actor = {
  /** Stable id, unique among people. */
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}
