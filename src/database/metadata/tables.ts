/** The shape of Tablewire's own tables, as Kysely types them; names are `tablewire_…` in SQL. */

import type { Role } from '../../server/actor.ts'
import type { UploadState } from '../../server/upload/upload-records.ts'
import type { PlanState } from '../../table/plans/plan-store.ts'

export const PEOPLE_CHANGES = [
  'invited',
  'link',
  'withdrawn',
  'joined',
  'role',
  'disabled',
  'enabled',
  'sessions',
  'password',
  'name',
  'email',
  'codesOn',
  'codesOff',
  'recovery',
  'recoveryUsed',
  'passkeyOn',
  'passkeyOff',
  'secondOff',
  'provided',
  'linked',
] as const

export type PeopleChangeKind = (typeof PEOPLE_CHANGES)[number]

/** Milliseconds since 1970. */
type Time = number

export type UserRow = {
  id: string
  /** As the person typed it. */
  email: string
  /** Unique: the same for every spelling of one address. */
  emailKey: string
  name: string
  role: Role
  /** PHC string; `null` for people who sign in by link only. */
  passwordHash: string | null
  createdAt: Time
  disabledAt: Time | null
  /** `null` for people who have not come in yet. */
  lastSeenAt: Time | null
}

export type SessionRow = {
  /** Public; the secret is the token, of which only the hash is stored. */
  id: string
  tokenHash: string
  lineage: string
  userId: string
  createdAt: Time
  lastSeenAt: Time
  /** When it ends, unless it is used before then. */
  expiresAt: Time
  address: string
  userAgent: string
}

export type LinkRow = {
  tokenHash: string
  /** The account it signs in to; `null` creates a new account. */
  userId: string | null
  /** The role of the account that it creates. */
  role: Role
  expiresAt: Time
  usedAt: Time | null
  /** Whether who opens it chooses a password, which ends the person's sessions; else 0. */
  setsPassword: 0 | 1
}

/** That somebody changed who may come in, or what they may do. */
export type PeopleChangeRow = {
  id: string
  at: Time
  byId: string
  byName: string
  /** The person that it is about. */
  personId: string
  personName: string
  what: PeopleChangeKind
  /** What it was before and is now, such as two roles. */
  before: string | null
  after: string | null
}

/** That a person signs in with codes of their own as well. */
export type CodeRow = {
  userId: string
  /** Sealed: nobody makes codes of it without the secret of the data folder. */
  secret: string
  /** The step of the last code that was used; codes of it and before are refused. */
  lastStep: number
  createdAt: Time
}

/** A recovery code that was not used yet, as a digest. */
export type RecoveryRow = { userId: string; digest: string }

export type PasskeyRow = {
  /** A digest of the credential's own id, which may be long. */
  id: string
  credentialId: string
  userId: string
  /** As its person calls it. */
  name: string
  publicKey: string
  /** How often its authenticator says that it was used; 0 where that does not count. */
  counter: number
  /** As JSON: how a browser speaks with its authenticator. */
  transports: string
  createdAt: Time
  lastUsedAt: Time | null
}

/** Whom a person is at the OpenID provider that they come in through. */
export type IdentityRow = {
  /** A digest of issuer and subject. */
  id: string
  issuer: string
  subject: string
  userId: string
  createdAt: Time
  /** Whether the provider asked for more than one factor when they came in last. */
  isStrong: 0 | 1
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

export type SettingRow = { name: string; value: string }

export type RoleRow = { name: string }

/** Until when a rate limit counts the uses of a key, which is a digest. */
export type LimitRow = { key: string; until: Time }

/** A file that has arrived and belongs to no row yet. */
export type UploadRow = {
  id: string
  userId: string
  component: string
  property: string
  name: string
  type: string
  /** Bytes. */
  size: number
  digest: string
  state: UploadState
  createdAt: Time
}

/** A file that is kept for the rows of a column. */
export type FileRow = { fileKey: string; tableName: string; columnName: string; dueAt: Time }

/** A sealed plan: what is to be written in the rows of its chunks. */
export type PlanRow = {
  id: string
  tableName: string
  byId: string
  byName: string
  behalfId: string | null
  behalfName: string | null
  approvedId: string | null
  approvedName: string | null
  at: Time
  endsAt: Time
  claimedAt: Time | null
  rowCount: number
  /** What its chunks take. */
  bytes: number
  state: PlanState
  content: string
  outcome: string | null
}

/** Keys of rows of a plan, as `key-chunks.ts` packs them. */
export type PlanChunkRow = { planId: string; place: number; bytes: Uint8Array; at: Time }

/** Rows of a plan that were not written, with their reasons, as `key-chunks.ts` packs them. */
export type LeftChunkRow = PlanChunkRow

/** A view of a list, as somebody has saved it. */
export type SavedViewRow = {
  id: string
  tableName: string
  name: string
  /** Whose it is; `null` for everyone's. */
  ownerId: string | null
  byId: string
  byName: string
  /** Parameters of the list's address. */
  query: string
  isDefault: 0 | 1
  isTab: 0 | 1
  position: number
  changedAt: Time
}

/** What somebody has corrected of an option of a table, or of one of its columns. */
export type CorrectionRow = {
  /** A digest of scope, table, column and part. */
  id: string
  /** A digest of the database. */
  scope: string
  tableName: string
  columnName: string | null
  part: string
  /** As JSON. */
  value: string
  at: Time
  byId: string
  byName: string
}

/** That somebody corrected something, or took a correction back; values are JSON, `null` for none. */
export type CorrectionChangeRow = Omit<CorrectionRow, 'value'> & {
  before: string | null
  after: string | null
}

export type MetadataTables = {
  tablewireUsers: UserRow
  tablewireSessions: SessionRow
  tablewireLinks: LinkRow
  tablewirePreferences: PreferenceRow
  tablewireIdempotency: IdempotencyRow
  tablewireSettings: SettingRow
  tablewireRoles: RoleRow
  tablewireLimits: LimitRow
  tablewireUploads: UploadRow
  tablewirePeopleChanges: PeopleChangeRow
  tablewireFiles: FileRow
  tablewireCodes: CodeRow
  tablewireRecovery: RecoveryRow
  tablewirePasskeys: PasskeyRow
  tablewirePlans: PlanRow
  tablewirePlanChunks: PlanChunkRow
  tablewireLeftChunks: LeftChunkRow
  tablewireIdentities: IdentityRow
  tablewireSavedViews: SavedViewRow
  tablewireCorrections: CorrectionRow
  tablewireCorrectionChanges: CorrectionChangeRow
}
