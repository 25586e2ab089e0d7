/** What an admin is made with, and what one gets. */

import type { FastifyInstance } from 'fastify'
import type { AnyComponent } from '../../server/component/define.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { Definitions } from '../../table/definition/define-table.ts'
import type { Kind } from '../../table/definition/kind.ts'
import type { Policy } from '../../table/source/access.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Mounts } from '../mounts/mounts.ts'
import type { Page } from '../pages/page.ts'
import type { AuthProvider } from '../sign-in/auth-provider.ts'

export type AdminOptions = {
  readonly source: RowSource
  /** Folder for Tablewire's own records; made where it is missing. */
  readonly dataFolder: string
  /** Who may do what. Default: by role. */
  readonly policy?: Policy
  /** What is declared of tables, by name; everything else is inferred. */
  readonly definitions?: Definitions
  /** Kinds of columns beside the built-in ones, as `defineKind` makes them. Default: none. */
  readonly kinds?: readonly Kind[]
  /** Components that pages make only when they are asked for; others are known by their pages. */
  readonly components?: readonly AnyComponent[]
  /** Pages of one's own; each is drawn by the page of that name in `tablewire.client.tsx`. */
  readonly pages?: readonly Page[]
  /** Folder that `tablewire build` has written. Default: the package's own client, without own pages. */
  readonly client?: string
  /**
   * Path that all its addresses begin with, as browsers see them, such as `/admin`; nothing beside
   * it is answered. Default: none, so that it has its host for itself.
   */
  readonly prefix?: string
  /** Who is signed in, as the application around it knows. Default: accounts of its own. */
  readonly auth?: AuthProvider
  /**
   * Origin where browsers reach it, such as `https://admin.example.org`. With `https:`, cookies are
   * `secure`, and browsers are told to stay with TLS unless there is a prefix: then the host is not
   * ours alone. Default: wherever it listens, without TLS.
   */
  readonly url?: string
  /** Proxies whose word on the client's address counts: how many, or their addresses. Default: none. */
  readonly trustProxy?: number | string
  /** Pages and updates a session may ask for in a minute. Default: 600 pages and 1200 updates. */
  readonly requestsPerMinute?: number
  /** Forged requests a session may make in a minute before they are slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
  /** Adds to the server what it is to have besides, before it is ready. Default: nothing. */
  readonly extend?: (app: FastifyInstance) => Promise<void>
  /** Default: nothing is taken from the environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where failures are written. Default: nowhere. */
  readonly log?: (line: string, error?: unknown) => void
  /** The time, ms since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

export type Admin = Mounts & {
  /** The server itself; where the admin is mounted, it need not listen. */
  readonly app: FastifyInstance
  /** Accounts of the admin's own; nobody has one where an `auth` was given. */
  readonly accounts: Accounts
  readonly keys: KeyRing
  /** Name of the cookie that a session of such an account is kept in. */
  readonly sessionCookie: string
  /** Everything that a browser may send updates to, by name. */
  readonly components: ReadonlyMap<string, AnyComponent>
  catalog(): Catalog
  /**
   * Path of a fresh one-time link that signs an administrator in, the first one by making them.
   * Throws where an `auth` was given.
   */
  signInLink(): Promise<string>
  /** Closes the source, the admin's own records and its server, and nothing else of the process. */
  close(): Promise<void>
}
