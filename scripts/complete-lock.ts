/** Adds the optional platform packages that npm left out of the lock, so that `npm ci` accepts it. */

import { readFileSync, writeFileSync } from 'node:fs'

type Entry = {
  version?: string
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optional?: boolean
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const LOCK = 'package-lock.json'
const SYSTEMS = [
  'darwin',
  'win32',
  'linux',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
]
const PROCESSORS = [
  'x64',
  'arm64',
  'arm',
  'ia32',
  'riscv64',
  'ppc64',
  's390x',
  'loong64',
  'mips64el',
]

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Entry> }
const { packages } = lock

/** The folders that a package resolves its dependencies in, the nearest first. */
function lookups(from: string): string[] {
  const up = from.lastIndexOf('node_modules/')
  const inside = from === '' ? '' : `${from}/`
  return up < 0 ? [inside] : [inside, ...lookups(from.slice(0, Math.max(0, up - 1)))]
}

const isInstalled = (from: string, name: string): boolean =>
  lookups(from).some((folder) => packages[`${folder}node_modules/${name}`] !== undefined)

/** The entry that npm would have written, guessed from the package's name. */
function stub(name: string, range: string, { dev }: Entry): Entry {
  const words = name.split(/[/\-@]/)
  const os =
    words.find((word) => SYSTEMS.includes(word)) ?? (words.includes('win') ? 'win32' : undefined)
  const cpu = words.find((word) => PROCESSORS.includes(word))
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  }
}

for (const [path, entry] of Object.entries(packages)) {
  delete entry.resolved
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {}))
    if (!isInstalled(path, name)) packages[`node_modules/${name}`] = stub(name, range, entry)
}
lock.packages = Object.fromEntries(
  Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)),
)
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
