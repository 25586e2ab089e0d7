/** The rules of the source tree, as functions over files: each returns its violations. */

/** A file's path within `src`, and its text. */
export type SourceFile = { readonly path: string; readonly text: string }

type Import = { readonly path: string; readonly isTypeOnly: boolean }

/** What each folder may import. Server and browser share `protocol` and `messages`. */
const FOLDERS: { readonly [folder: string]: readonly string[] } = {
  protocol: [],
  messages: [],
  server: ['messages', 'protocol'],
  table: ['server', 'messages', 'protocol'],
  database: ['table', 'server', 'protocol'],
  jobs: ['table', 'server', 'protocol'],
  realtime: ['table', 'server', 'protocol'],
  admin: ['database', 'jobs', 'realtime', 'table', 'server', 'messages', 'protocol'],
  cli: ['admin', 'database', 'jobs', 'realtime', 'table', 'server', 'messages', 'protocol'],
  client: ['protocol'],
  react: ['client', 'messages', 'protocol'],
  ui: ['react', 'client', 'messages', 'protocol'],
  exports: [
    'admin',
    'client',
    'database',
    'messages',
    'protocol',
    'react',
    'server',
    'table',
    'ui',
  ],
}

/** Packages that each folder may use; `node:` stands for all of Node's own modules. */
const PACKAGES: { readonly [folder: string]: readonly string[] } = {
  server: [
    'node:',
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-request-presigner',
    '@fastify/busboy',
    '@fastify/compress',
    '@fastify/cookie',
    '@fastify/formbody',
    '@fastify/static',
    '@standard-schema/spec',
    'fastify',
    'file-type',
    'sharp',
    'valibot',
  ],
  table: ['@standard-schema/spec', 'valibot'],
  database: ['node:', 'kysely', 'mysql2', 'pg', 'valibot'],
  jobs: ['node:', 'bullmq', 'ioredis'],
  realtime: ['node:', 'fastify', 'ioredis', 'pusher', 'valibot', 'ws'],
  admin: [
    ...['node:', '@simplewebauthn/server', 'fastify', 'nodemailer', 'openid-client', 'otpauth'],
    ...['uqr', 'valibot'],
  ],
  cli: ['node:', 'valibot', 'vite'],
  client: ['pusher-js'],
  react: ['react'],
  ui: [
    '@simplewebauthn/browser',
    'filepond',
    'react',
    'react-dom',
    '@fontsource-variable/ibm-plex-sans',
  ],
}

/** APIs that only their owners may use. */
const OWNERS: readonly { power: string; pattern: RegExp; owners: readonly string[] }[] = [
  {
    power: 'XMLHttpRequest',
    pattern: /\bnew XMLHttpRequest\b/,
    owners: ['client/upload-request.ts'],
  },
  {
    power: 'fetch',
    pattern: /\bfetch\(/,
    owners: [
      'client/transport.ts',
      'client/environment.ts',
      'realtime/webhooks.ts',
      'server/upload/s3/s3-cors.ts',
      'client/remote-file.ts',
      'admin/sign-in/oidc-client.ts',
    ],
  },
  {
    power: 'useSyncExternalStore',
    pattern: /\buseSyncExternalStore\b/,
    owners: ['react/use-component.ts'],
  },
  {
    power: 'the socket',
    pattern: /'pusher-js'|\bnew WebSocket\b/,
    owners: ['client/push.ts'],
  },
  {
    power: 'a route that changes something',
    pattern: /\b(?:app|server|part)\.(?:post|put|patch|delete|route)\(/,
    owners: ['server/http/guarded-routes.ts', 'realtime/http-api.ts'],
  },
  { power: 'writing rows', pattern: /\bsource\.write\(/, owners: ['table/changes/door.ts'] },
  { power: 'timingSafeEqual', pattern: /\btimingSafeEqual\b/, owners: ['server/keys.ts'] },
]

const SQL =
  /\b(?:select|SELECT)\s.*\s(?:from|FROM)\s|\b(?:insert into|delete from|(?:create|drop|alter) (?:table|index|view|trigger)|pragma \w)/i

const CLAUSE = String.raw`(?:\*(?:\s+as\s+\w+)?|\{[^}]*\}|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+\w+))?)`
const FROM = new RegExp(
  String.raw`^(?:import|export)\s+(type\s+)?${CLAUSE}\s+from\s+'([^']+)'`,
  'gm',
)
const BARE = /^import\s+'([^']+)'/gm
const DYNAMIC = /\bimport\(\s*'([^']+)'/g

const folderOf = (path: string): string => path.split('/')[0]!

export const withoutComments = (text: string): string =>
  text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

export function importsOf({ path, text }: SourceFile): Import[] {
  const code = withoutComments(text)
  const found = [
    ...[...code.matchAll(FROM)].map(([, type, from]) => ({
      from: from!,
      isTypeOnly: Boolean(type),
    })),
    ...[...code.matchAll(BARE), ...code.matchAll(DYNAMIC)].map(([, from]) => ({
      from: from!,
      isTypeOnly: false,
    })),
  ]
  return found.map(({ from, isTypeOnly }) => ({
    path: from.startsWith('.') ? new URL(from, `file:///${path}`).pathname.slice(1) : from,
    isTypeOnly,
  }))
}

const isOwn = (path: string): boolean => /^[\w-]+\/.*\.(?:tsx?|css)$/.test(path)

export const wrongFolders = (file: SourceFile): string[] =>
  importsOf(file)
    .map(({ path }) => path)
    .filter(isOwn)
    .filter((path) => {
      const folder = folderOf(file.path)
      return folderOf(path) !== folder && !FOLDERS[folder]?.includes(folderOf(path))
    })
    .map((path) => `${file.path} imports ${path}`)

export const wrongPackages = (file: SourceFile): string[] =>
  importsOf(file)
    .map(({ path }) => path)
    .filter((path) => !isOwn(path))
    .filter((path) => {
      const [first = '', second = ''] = path.split('/')
      const name = path.startsWith('@') ? `${first}/${second}` : first
      const wanted = name.startsWith('node:') ? 'node:' : name
      return !PACKAGES[folderOf(file.path)]?.includes(wanted)
    })
    .map((path) => `${file.path} uses ${path}`)

export const strayIndexes = ({ path }: SourceFile): string[] =>
  /(?:^|\/)index\.\w+$/.test(path) && folderOf(path) !== 'exports' ? [path] : []

export const defaultExports = ({ path, text }: SourceFile): string[] =>
  /^export default\b|^export \{[^}]*\bas default\b/m.test(withoutComments(text)) ? [path] : []

/** A file must begin with a comment whose first paragraph is one sentence. */
export function wrongHeads({ path, text }: SourceFile): string[] {
  const [, comment] = /^\/\*\*\s([^]*?)\*\//.exec(text) ?? []
  const sentence = comment
    ?.split('\n *\n')[0]
    ?.replace(/\n \* ?/g, ' ')
    .trim()
  const isOne =
    sentence !== undefined && /[.!?]$/.test(sentence) && !/[.!?]\s+\p{Lu}/u.test(sentence)
  return isOne ? [] : [path]
}

export const straySql = ({ path, text }: SourceFile): string[] =>
  folderOf(path) === 'database'
    ? []
    : withoutComments(text)
        .split('\n')
        .filter((line) => SQL.test(line))
        .map((line) => `${path}: ${line.trim()}`)

/** The one file that knows the paths and adds the prefix. */
const ADDRESSES = 'admin/addresses.ts'

/** Literal paths outside that file, which would lack the prefix. */
export const strayAddresses = ({ path, text }: SourceFile): string[] =>
  ['admin', 'table', 'ui', 'react', 'client'].includes(folderOf(path)) && path !== ADDRESSES
    ? [...withoutComments(text).matchAll(/['"`](\/[a-z][^'"`]*)/g)].map(
        ([, address]) => `${path} names ${address}`,
      )
    : []

export const strayPowers = ({ path, text }: SourceFile): string[] =>
  OWNERS.filter(
    ({ pattern, owners }) => !owners.includes(path) && pattern.test(withoutComments(text)),
  ).map(({ power }) => `${path} uses ${power}`)

/** Entry points with anything but re-exports. */
export const wrongDoors = ({ path, text }: SourceFile): string[] =>
  folderOf(path) === 'exports' && withoutComments(text).replaceAll(FROM, '').trim() !== ''
    ? [path]
    : []

/** Cycles of imports; type-only imports do not count, since they are erased. */
export function cycles(files: readonly SourceFile[]): string[] {
  const edges = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ path, isTypeOnly }) => (isTypeOnly ? [] : [path])),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  function walk(path: string, ancestors: readonly string[]): void {
    const at = ancestors.indexOf(path)
    if (at >= 0) found.push([...ancestors.slice(at), path].join(' → '))
    if (at >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) walk(next, [...ancestors, path])
    done.add(path)
  }
  for (const path of edges.keys()) walk(path, [])
  return found
}
