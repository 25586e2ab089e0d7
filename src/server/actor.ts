/** Who acts: a required argument of everything that reads, writes or decides. */

/** Roles that exist from the first day, the mightiest first. */
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
