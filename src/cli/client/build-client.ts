/** Builds the browser's half of a configuration: what browsers load, and what the server draws with. */

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'
import * as v from 'valibot'
import { CLIENT_PARTS, OWN_CLIENT, ownVersion } from '../../admin/compose/client-folders.ts'
import { languages } from '../../messages/messages.ts'
import { SettingsError } from '../settings.ts'
import { compressFolder } from './compress-folder.ts'
import { loadVite } from './load-vite.ts'

export type ClientBuild = {
  /** The file with the browser's half: `tablewire.client.tsx`. */
  readonly entry: string
  /** Folder to write; the build replaces its content. */
  readonly out: string
  /** Called with the renderer's file before the build replaces another; throws to keep that one. */
  check?(renderer: string): Promise<void>
}

/** Modules that exist only during a build: the two entries, and each language's messages. */
const BROWSER = 'tablewire:browser'
const SERVER = 'tablewire:server'
const LANGUAGE = 'tablewire:language/'
/** Stands in for `react-dom/server` in the browser, which `tablewire/ui` also imports. */
const NOTHING = 'tablewire:nothing'

/** The built package. */
const DIST = resolve(OWN_CLIENT, '..')

/** React and this package: one instance for the admin and for your code. */
const SHARED = /^(?:react|react-dom|tablewire)(?:\/|$)/

/** Entry points with the server's code. */
const SERVER_DOORS = new Set(['tablewire', 'tablewire/testing'])

/** Builds into a folder beside, then swaps it in: a running server never sees half a build. */
export async function buildClient({ entry, out, check }: ClientBuild): Promise<void> {
  await assertReplaceable(entry, out)
  const { build } = await loadVite(dirname(entry))
  const fresh = `${out}.new`
  await rm(fresh, { recursive: true, force: true })
  const root = dirname(entry)
  const browser = join(fresh, CLIENT_PARTS.browser)
  await build(await browserConfig(entry, root, browser))
  await compressFolder(browser)
  const renderer = join(fresh, CLIENT_PARTS.renderer)
  await build(serverConfig(entry, root, dirname(renderer)))
  await check?.(renderer)
  await writeFile(join(fresh, CLIENT_PARTS.note), JSON.stringify({ with: await ownVersion() }))
  await rm(out, { recursive: true, force: true })
  await mkdir(dirname(out), { recursive: true })
  await rename(fresh, out)
}

/** A build replaces the whole folder, so it must be an earlier build, or empty, or not there yet. */
async function assertReplaceable(entry: string, out: string): Promise<void> {
  const inside = relative(out, entry)
  const holdsEntry = !inside.startsWith('..') && !isAbsolute(inside)
  const present = await readdir(out).catch((): string[] => [])
  if (!holdsEntry && (present.length === 0 || present.includes(CLIENT_PARTS.note))) return
  throw new SettingsError(
    `The folder [${out}] holds other files than a build, and a build would replace them. Name an empty folder by --out or \`client\`.`,
  )
}

const shared = (root: string, outDir: string, plugin: Plugin): InlineConfig => ({
  root,
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic' } },
  plugins: [plugin],
  build: { outDir, emptyOutDir: true, target: 'es2022', assetsDir: '', assetsInlineLimit: 0 },
})

/** A slow build, such as on a busy machine, is no mistake of whoever builds. */
const QUIET = { checks: { pluginTimings: false } }

async function browserConfig(entry: string, root: string, outDir: string): Promise<InlineConfig> {
  const config = shared(root, outDir, browserModules(entry, await ownStyles()))
  return {
    ...config,
    // Relative paths, because the admin may have a prefix.
    base: './',
    build: {
      ...config.build,
      // The oldest browsers with `light-dark()`, so that the build does not rewrite it.
      cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        ...QUIET,
        input: { main: BROWSER, keys: join(DIST, 'ui/early-keys.js') },
      },
    },
  }
}

function serverConfig(entry: string, root: string, outDir: string): InlineConfig {
  const config = shared(root, outDir, serverModules(entry))
  return {
    ...config,
    ssr: { noExternal: true },
    build: {
      ...config.build,
      target: 'node24',
      ssr: true,
      rolldownOptions: {
        ...QUIET,
        input: { render: SERVER },
        output: { entryFileNames: 'render.js', codeSplitting: false },
      },
    },
  }
}

const path = (file: string) => JSON.stringify(file)

/** For the browser, bundles the shared packages as this package resolves them. */
const browserModules = (entry: string, styles: readonly string[]): Plugin =>
  modules({
    load(id) {
      if (id === NOTHING) return 'export const renderToString = undefined'
      if (id.startsWith(LANGUAGE)) {
        const file = join(DIST, 'messages', `${id.slice(LANGUAGE.length)}.js`)
        return `export { pages } from ${path(file)}`
      }
      const loaders = languages.map(
        (tag) => `${path(tag)}: () => import(${path(LANGUAGE + tag)}).then(({ pages }) => pages)`,
      )
      return [
        ...styles.map((file) => `import ${path(file)}`),
        `import client from ${path(entry)}`,
        `import { start } from ${path(join(DIST, 'ui/start.js'))}`,
        // Not awaited: what is loaded later imports this file, and would wait for it in turn.
        `void start({ client, languages: { ${loaders.join(', ')} } })`,
      ].join('\n')
    },
    share(id, importer) {
      if (SERVER_DOORS.has(id))
        throw new SettingsError(
          `${importer === undefined ? 'A file' : relative('', importer)} brings the server’s code into the browser by importing from '${id}'. Where only its types are needed, write: import type { … }`,
        )
      return id === 'react-dom/server' ? `\0${NOTHING}` : fileURLToPath(import.meta.resolve(id))
    },
  })

/** For the server, leaves the shared packages external: `load-renderer.ts` resolves them. */
const serverModules = (entry: string): Plugin =>
  modules({
    load: () =>
      [
        `import client from ${path(entry)}`,
        `import { createRenderer } from 'tablewire/ui'`,
        'export const { render, pages, added } = createRenderer(client)',
      ].join('\n'),
    share: (id) => ({ id, external: true }),
  })

type Modules = {
  /** The text of a module that exists only during the build. */
  load(id: string): string
  /** Resolves a shared package. */
  share(id: string, importer: string | undefined): string | { id: string; external: true }
}

const modules = ({ load, share }: Modules): Plugin => ({
  name: 'tablewire',
  enforce: 'pre',
  resolveId: (id, importer) => {
    if (id.startsWith('tablewire:')) return `\0${id}`
    return SHARED.test(id) ? share(id, importer) : undefined
  },
  load: (id) => (id.startsWith('\0tablewire:') ? load(id.slice(1)) : undefined),
})

const manifestSchema = v.record(
  v.string(),
  v.looseObject({ isEntry: v.optional(v.boolean()), css: v.optional(v.array(v.string()), []) }),
)

/** The style sheets that come with this package. */
async function ownStyles(): Promise<string[]> {
  const text = await readFile(join(OWN_CLIENT, 'manifest.json'), 'utf8')
  const chunks = Object.values(v.parse(manifestSchema, JSON.parse(text)))
  return chunks.flatMap(({ isEntry, css }) =>
    isEntry ? css.map((file) => join(OWN_CLIENT, file)) : [],
  )
}
