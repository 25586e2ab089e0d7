/** Sign-in sessions; only hashes of their tokens are stored. */

import type { Kysely } from 'kysely'
import type { MetadataTables, SessionRow } from './tables.ts'

export type StoredSession = SessionRow

/** A session that is still valid, with its person. */
export type ActiveSession = Pick<
  SessionRow,
  'id' | 'lineage' | 'userId' | 'createdAt' | 'lastSeenAt' | 'expiresAt'
> &
  Pick<MetadataTables['tablewireUsers'], 'email' | 'name' | 'role'>

/** Updates when a session was last seen, unless the stored time is recent enough. */
export type Touch = {
  readonly id: string
  readonly now: number
  /** Only a session last seen at this time or before is updated. */
  readonly seenBefore: number
  readonly expiresAt: number
}

export class Sessions {
  readonly #db: Kysely<MetadataTables>

  constructor(db: Kysely<MetadataTables>) {
    this.#db = db
  }

  async insert(session: StoredSession): Promise<void> {
    await this.#db.insertInto('tablewireSessions').values(session).execute()
  }

  /** The session of a token, unless it has expired or its person is disabled. */
  findActive(tokenHash: string, now: number): Promise<ActiveSession | undefined> {
    return this.#db
      .selectFrom('tablewireSessions as session')
      .innerJoin('tablewireUsers as user', 'user.id', 'session.userId')
      .select(['session.id', 'session.lineage', 'session.userId', 'session.createdAt'])
      .select(['session.lastSeenAt', 'session.expiresAt', 'user.email', 'user.name', 'user.role'])
      .where('session.tokenHash', '=', tokenHash)
      .where('session.expiresAt', '>', now)
      .where('user.disabledAt', 'is', null)
      .executeTakeFirst()
  }

  /** A person's sessions that have not expired, most recently seen first. */
  list(userId: string, now: number): Promise<StoredSession[]> {
    return this.#db
      .selectFrom('tablewireSessions')
      .selectAll()
      .where('userId', '=', userId)
      .where('expiresAt', '>', now)
      .orderBy('lastSeenAt', 'desc')
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute()
  }

  /** How many sessions each person has that have not expired; those without are absent. */
  async counts(now: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db
      .selectFrom('tablewireSessions')
      .select(({ fn }) => ['userId', fn.countAll().as('count')])
      .where('expiresAt', '>', now)
      .groupBy('userId')
      .execute()
    return new Map(rows.map(({ userId, count }) => [userId, Number(count)]))
  }

  async touch({ id, now, seenBefore, expiresAt }: Touch): Promise<void> {
    await this.#db
      .updateTable('tablewireSessions')
      .set({ lastSeenAt: now, expiresAt })
      .where('id', '=', id)
      .where('lastSeenAt', '<=', seenBefore)
      .execute()
  }

  /** Changes only a session's id and token; `false` if it no longer exists. */
  async rename(id: string, next: { id: string; tokenHash: string }, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewireSessions')
      .set(next)
      .where('id', '=', id)
      .where('expiresAt', '>', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Ends the session of a token. */
  async removeByToken(tokenHash: string): Promise<void> {
    await this.#db.deleteFrom('tablewireSessions').where('tokenHash', '=', tokenHash).execute()
  }

  /** Ends one session of one person; `false` if they have no such session. */
  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewireSessions')
      .where('userId', '=', userId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }

  /** Ends all sessions of one person except `except`; returns how many it ended. */
  async removeAll(userId: string, except = ''): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('tablewireSessions')
      .where('userId', '=', userId)
      .where('id', '<>', except)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
}
