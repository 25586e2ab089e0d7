/** What `tablewire.config.ts` holds: the command's settings, and what you declare about tables. */

import * as v from 'valibot'
import type { AnyChannel } from '../../server/channel/channel.ts'
import type { AnyComponent } from '../../server/component/define.ts'
import type { S3Options } from '../../server/upload/s3/s3-options.ts'
import type { JobKind } from '../../table/jobs/job-kind.ts'
import type { Policy } from '../../table/source/access.ts'
import { checkKinds, fittingKinds } from '../../table/definition/check-kinds.ts'
import type { Definitions } from '../../table/definition/define-table.ts'
import {
  checkFields,
  type Field,
  fitting,
  isPlainObject,
  wrong,
} from '../../table/definition/fields.ts'
import type { Kind } from '../../table/definition/kind.ts'
import type { Problem } from '../../table/definition/problems.ts'
import type { Roles } from '../../table/roles/role.ts'
import { type SignInOptions, signInOptionsSchema } from '../sign-in/sign-in-settings.ts'
import { readProxies, readPublicUrl } from '../origin.ts'
import type { Page } from '../pages/page.ts'
import { checkChannels, checkComponents, checkPages } from './check-parts.ts'

/** A flag or an environment variable overrides its setting. */
export type AdminConfig<Database = AnyDatabase> = {
  /** The database: an address, or the path of a file. Paths are relative to the configuration file. */
  readonly database?: string | undefined
  /** Folder for Tablewire's own records. Default: `.tablewire`. */
  readonly data?: string | undefined
  /**
   * Where its own records are: `beside`, in tables of the database itself, or the address of another
   * one. Default: a file in that folder.
   */
  readonly metadata?: string | undefined
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined
  /** Port to listen on; 0 for any free one. Default: 4600. */
  readonly port?: number | undefined
  /** Where browsers reach it, such as `https://admin.example.org` or `https://example.org/db`. */
  readonly url?: string | undefined
  /** Proxies before it: how many, or their addresses, separated by commas. Default: none. */
  readonly trustProxy?: number | string | undefined
  /**
   * Whether the database takes changes: `true` from the start, `false` never. Default: once an
   * administrator has allowed it in the page.
   */
  readonly write?: boolean | undefined
  /** How long the history of changes is kept, days. Default: 90. */
  readonly historyDays?: number | undefined
  /** How people sign in. Default: by password or passkey; a second factor is their own choice. */
  readonly signIn?: SignInOptions | undefined
  /** Who may do what. Default: by role. */
  readonly policy?: Policy | undefined
  /** What you declare about tables, by name; everything else is inferred. */
  readonly tables?: Definitions<Database> | undefined
  /** Roles of your own, by name; each gets what it and the policy both allow. Default: none. */
  readonly roles?: Roles<Database> | undefined
  /** Kinds of columns besides the built-in ones, as `defineKind` returns them. Default: none. */
  readonly kinds?: readonly Kind[] | undefined
  /** Components that pages name only in a function; the others are found through their pages. */
  readonly components?: readonly AnyComponent[] | undefined
  /** Your own pages; `tablewire.client.tsx` beside this file draws each. */
  readonly pages?: readonly Page[] | undefined
  /** Whether lists and records follow what others change, without a reload. Default: true. */
  readonly live?: boolean | undefined
  /** Channels of live events, as `defineChannel` returns them. Default: none. */
  readonly channels?: readonly AnyChannel[] | undefined
  /** Kinds of jobs, as `defineJob` returns them. Default: none. */
  readonly jobs?: readonly JobKind[] | undefined
  /** Hosts that files may be fetched from, such as `images.example.org` or `*.example.org`. Default: none. */
  readonly fetchFrom?: readonly string[] | undefined
  /** What carries live events between several nodes, such as `redis://cache.example.org:6379`. */
  readonly bus?: string | undefined
  /** The bucket of S3 that files are kept in. Default: the folder `files` of the data folder. */
  readonly s3?: S3Options | undefined
  /** Folder that `tablewire build` writes. Default: `dist-client`. */
  readonly client?: string | undefined
}

type AnyDatabase = { readonly [table: string]: { readonly [column: string]: unknown } }

/**
 * The configuration of an admin, for `export default` in `tablewire.config.ts`. With the type of the
 * database, which `tablewire types` writes, the compiler rejects unknown tables and columns; without
 * it, the command reports them all at start-up.
 *
 * @example
 * export default defineAdmin<Database>({
 *   database: 'shop.sqlite',
 *   tables: { orders: { labelColumn: 'number', columns: { total: { unit: '€' } } } },
 * })
 */
export const defineAdmin = <Database = AnyDatabase>(
  config: AdminConfig<NoInfer<Database>>,
): AdminConfig<Database> => config

const text: Field = { schema: v.pipe(v.string(), v.minLength(1)), expected: 'a text' }

/** The schema of each setting. */
export const SETTINGS = {
  database: text,
  data: text,
  metadata: text,
  host: text,
  port: {
    schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)),
    expected: 'a number from 0 to 65535',
  },
  url: {
    schema: v.pipe(
      v.string(),
      v.check((url) => readPublicUrl(url) !== undefined),
    ),
    expected: 'such as https://admin.example.org or https://example.org/db',
  },
  trustProxy: {
    schema: v.pipe(
      v.union([v.number(), v.string()]),
      v.check((proxies) => readProxies(String(proxies)) !== undefined),
    ),
    expected: 'a number from 1 to 99, or addresses such as 10.0.0.0/8',
  },
  write: { schema: v.boolean(), expected: 'true or false' },
  historyDays: {
    schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(99_999)),
    expected: 'a number of days from 1 to 99999',
  },
  policy: {
    schema: v.object({
      version: v.string(),
      grant: v.function(),
      tellsName: v.optional(v.function()),
    }),
    expected: 'an object with a version and a function grant(actor, table)',
  },
  signIn: { schema: signInOptionsSchema, expected: 'an object such as { twoFactors: "required" }' },
  client: text,
  live: { schema: v.boolean(), expected: 'true or false' },
  // `checkDefinitions` checks tables, once the database has been read.
  tables: { schema: v.unknown(), expected: '' },
  // `checkRoles` checks roles, then, too.
  roles: { schema: v.unknown(), expected: '' },
  // `readConfig` checks these four with functions of their own.
  kinds: { schema: v.unknown(), expected: '' },
  components: { schema: v.unknown(), expected: '' },
  pages: { schema: v.unknown(), expected: '' },
  channels: { schema: v.unknown(), expected: '' },
  jobs: {
    schema: v.array(v.object({ name: v.string(), label: v.function(), run: v.function() })),
    expected: 'a list of jobs, as defineJob makes them',
  },
  bus: text,
  // `readS3Settings` checks it together with the environment.
  s3: { schema: v.record(v.string(), v.unknown()), expected: 'an object with a bucket' },
  fetchFrom: {
    schema: v.array(v.pipe(v.string(), v.regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/))),
    expected: 'names of hosts, such as images.example.org or *.example.org',
  },
} satisfies { [setting in keyof AdminConfig]-?: Field }

/** Every mistake in a configuration except in its tables and roles, and the configuration without them. */
export function readConfig(exported: unknown): { problems: Problem[]; config: AdminConfig } {
  if (!isPlainObject(exported))
    return {
      problems: [wrong('export default', 'an object, as defineAdmin makes it', exported)],
      config: {},
    }
  const { components = [], pages = [], channels = [] } = exported
  const { kinds = [], ...settings } = fitting(exported, SETTINGS)
  return {
    problems: [
      ...checkFields(exported, SETTINGS, ''),
      ...checkKinds(kinds),
      ...checkComponents(components),
      ...checkPages(pages),
      ...checkChannels(channels),
    ],
    // `fitting` keeps what its setting's schema accepts, so the types hold; tables and roles are checked later.
    config: { ...(settings as AdminConfig), kinds: fittingKinds(kinds) },
  }
}
