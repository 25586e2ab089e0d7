/** The options of `createAdmin`, and the admin that it returns. */

import type { FastifyInstance } from 'fastify'
import type { ChannelParams } from '../../protocol/channels.ts'
import type { AnyChannel, Channel } from '../../server/channel/channel.ts'
import type { AnyComponent } from '../../server/component/define.ts'
import type { Events } from '../../server/component/effects.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { S3Options } from '../../server/upload/s3/s3-options.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { Definitions } from '../../table/definition/define-table.ts'
import type { Kind } from '../../table/definition/kind.ts'
import type { JobKind } from '../../table/jobs/job-kind.ts'
import type { Jobs } from '../../table/jobs/jobs.ts'
import type { Policy } from '../../table/source/access.ts'
import type { Roles } from '../../table/roles/role.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Mounts } from '../mounts/mounts.ts'
import type { Page } from '../pages/page.ts'
import type { SignInOptions } from '../sign-in/sign-in-settings.ts'
import type { AuthProvider } from '../sign-in/auth-provider.ts'

export type AdminOptions = {
  readonly source: RowSource
  /** Folder for Tablewire's own records; created if it is missing. */
  readonly dataFolder: string
  /**
   * Where Tablewire keeps its own records: `beside`, in tables of the source's own database whose names
   * begin with `tablewire_`; or in another database, by its address. Default: a file in the data folder.
   */
  readonly metadata?: string
  /**
   * Whether the database takes changes: `true` from the start, `false` never. Default: once an
   * administrator has allowed it in the page, which is remembered in the data folder.
   */
  readonly write?: boolean
  /** How long the history of changes is kept, days. Default: 90. */
  readonly historyDays?: number
  /** Who may do what. Default: by role. */
  readonly policy?: Policy
  /** What you declare about tables, by name; everything else is inferred. */
  readonly definitions?: Definitions
  /** Roles of your own, by name; each gets what it and the policy both allow. Default: none. */
  readonly roles?: Roles
  /** Kinds of columns besides the built-in ones, as `defineKind` returns them. Default: none. */
  readonly kinds?: readonly Kind[]
  /** Components that pages name only in a function; the others are found through their pages. */
  readonly components?: readonly AnyComponent[]
  /** Your own pages; `tablewire.client.tsx` draws each under the same name. */
  readonly pages?: readonly Page[]
  /** Whether lists and records follow what others change, without a reload. Default: true. */
  readonly live?: boolean
  /** Kinds of jobs of your own, as `defineJob` returns them. Default: none. */
  readonly jobs?: readonly JobKind[]
  /** Channels of live events besides those of the tables. Default: none. */
  readonly channels?: readonly AnyChannel[]
  /**
   * Address of what carries live events between several nodes of this admin, such as
   * `redis://cache.example.org:6379`; `REDIS_URL` of `env` overrides it. Default: there is one node.
   */
  readonly bus?: string
  /**
   * The bucket of S3, or of a compatible server, that files are kept in; `S3_BUCKET` and others of `env`
   * override it. Default: the folder `files` of the data folder.
   */
  readonly s3?: S3Options
  /** Folder that `tablewire build` has written. Default: the package's own client. */
  readonly client?: string
  /**
   * Path that all its addresses begin with, as browsers see them, such as `/admin`; the admin leaves
   * all other paths alone. Default: none, so it answers every request of its host.
   */
  readonly prefix?: string
  /** How people sign in to Tablewire's own accounts; `TABLEWIRE_TWO_FACTORS` of `env` overrides it. */
  readonly signIn?: SignInOptions
  /** Your application's sign-in. Default: Tablewire's own accounts. */
  readonly auth?: AuthProvider
  /**
   * Origin where browsers reach it, such as `https://admin.example.org`. With `https:`, cookies are
   * `secure`, and the admin sends `Strict-Transport-Security` unless there is a prefix: then the host
   * is not its alone. Default: wherever it listens, without TLS.
   */
  readonly url?: string
  /**
   * Names of hosts that it answers to, besides loopback names and IP addresses: another site may
   * point its own name at this server (DNS rebinding). Default: all names, which the application
   * around it checks.
   */
  readonly hosts?: readonly string[]
  /**
   * Hosts that files may be fetched from, by HTTPS: `images.example.org`, or `*.example.org` for all below it. The
   * server asks them on behalf of whoever uploads. Default: none.
   */
  readonly fetchFrom?: readonly string[]
  /** Proxies to trust about the client's address: how many, or their addresses. Default: none. */
  readonly trustProxy?: number | string
  /** Pages, and components to update, that a person may ask for in a minute. Default: 600 and 1200. */
  readonly requestsPerMinute?: number
  /** Forged requests a person may make in a minute before they are limited. Default: 30. */
  readonly forgeriesPerMinute?: number
  /** Adds routes or hooks to the server before it is ready. Default: nothing. */
  readonly extend?: (app: FastifyInstance) => Promise<void>
  /** Environment variables, such as `TABLEWIRE_SECRET`. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where failures are written. Default: nowhere. */
  readonly log?: (line: string, error?: unknown) => void
  /** The time, ms since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

export type Admin = Mounts & {
  /** The server itself; where the admin is mounted, it need not listen. */
  readonly app: FastifyInstance
  /** Tablewire's own accounts; unused with `auth`. */
  readonly accounts: Accounts
  readonly keys: KeyRing
  /** Name of the cookie that holds the session of such an account. */
  readonly sessionCookie: string
  /** All components that take updates from browsers, by name. */
  readonly components: ReadonlyMap<string, AnyComponent>
  catalog(): Catalog
  /**
   * Work in the background: starts jobs of the kinds listed under `jobs`, tells of them, and steers them.
   *
   * @example
   * await admin.jobs.start(actor, { kind: 'tidy', tables: ['parts'], input: null, key: 'week 30' })
   */
  readonly jobs: Jobs
  /**
   * Sends an event to everybody who has joined the channel. Rejects with `ARGUMENTS_INVALID` if the
   * event's schema refuses the detail.
   *
   * @example
   * await admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 'Ada' })
   */
  broadcast<Pattern extends string, Hints extends Events, Event extends keyof Hints & string>(
    channel: Channel<Pattern, Hints>,
    params: ChannelParams<Pattern>,
    event: Event,
    detail: Hints[Event],
  ): Promise<void>
  /**
   * Path of a new one-time link that signs an administrator in, or makes the first one. Throws with
   * `auth`.
   */
  signInLink(): Promise<string>
  /** Closes the source, the admin's own records and its server; the host's server stays open. */
  close(): Promise<void>
}
