/** Who acts: a required argument of everything that reads, writes or decides. */

/** The roles that are there first, the most powerful first. */
export const ROLES = ['admin', 'editor', 'viewer'] as const

/**
 * One of `ROLES`, one of the definition’s `roles`, or any other that the policy knows. One that nobody knows may
 * do nothing.
 */
export type Role = string

/** A signed-in person, or a named part of the system itself. */
export type Actor = {
  /** Stable id, unique among people. */
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  /**
   * Set for a policy that is asked about a role of the definition: what it grants is narrowed to what the role
   * names, so that a policy need not know the name. The default policy grants it what an editor may.
   */
  readonly isDefined?: true
  /**
   * An administrator who sees the admin as this role does, with their own id, name and email: whatever they ask to be
   * changed is refused.
   */
  readonly isLooking?: true
}
