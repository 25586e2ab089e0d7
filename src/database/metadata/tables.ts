/** The shape of Tablewire's own tables, as Kysely types them; names are `tablewire_…` in SQL. */

import type { Role } from '../../server/actor.ts'

/** Times are milliseconds since 1970; on PostgreSQL, `int8` must be read as a number. */
type Time = number

export type UserRow = {
  id: string
  /** As the person wrote it. */
  email: string
  /** What is unique: the same for every spelling of one address. */
  emailKey: string
  name: string
  role: Role
  /** PHC string; none for those who only ever come by link. */
  passwordHash: string | null
  createdAt: Time
  disabledAt: Time | null
}

export type SessionRow = {
  /** Public; the secret is the token, of which only the hash is kept. */
  id: string
  tokenHash: string
  lineage: string
  userId: string
  createdAt: Time
  lastSeenAt: Time
  /** When it ends unless it is used before. */
  expiresAt: Time
  address: string
  userAgent: string
}

export type LinkRow = {
  tokenHash: string
  /** Whom it signs in; `null` makes a new account. */
  userId: string | null
  /** Of the account that it makes. */
  role: Role
  expiresAt: Time
  usedAt: Time | null
}

export type PreferenceRow = { userId: string; name: string; value: string }

export type IdempotencyRow = {
  userId: string
  key: string
  digest: string
  state: 'pending' | 'done'
  answer: string | null
  createdAt: Time
}

export type MigrationRow = { name: string; appliedAt: Time }

export type MetadataTables = {
  tablewireUsers: UserRow
  tablewireSessions: SessionRow
  tablewireLinks: LinkRow
  tablewirePreferences: PreferenceRow
  tablewireIdempotency: IdempotencyRow
  tablewireMigrations: MigrationRow
}
