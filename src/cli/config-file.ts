/** Finds and loads `tablewire.config.ts`, and says plainly why it cannot be loaded. */

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type AdminConfig, readConfig } from '../admin/compose/define-admin.ts'
import type { Problem } from '../table/definition/problems.ts'
import { schemeOf } from './open-database.ts'
import { SettingsError } from './settings.ts'

const NAMES = ['tablewire.config.ts', 'tablewire.config.js', 'tablewire.config.mjs']

/** Files of this package: a stack frame here is not where the person's mistake is. */
const OWN = new URL('../', import.meta.url).href

export type ConfigFile = {
  /** The file as the person named it. */
  readonly name: string
  /** The valid settings, with absolute paths. */
  readonly config: AdminConfig
  /** Its mistakes, except in its tables. */
  readonly problems: readonly Problem[]
}

/** Name of the configuration in a folder; it is not loaded. Throws if there are several. */
export function findConfig(folder = process.cwd()): string | undefined {
  const found = NAMES.filter((name) => existsSync(resolve(folder, name)))
  if (found.length > 1)
    throw new SettingsError(`There are ${found.join(' and ')}. Say which one with --config.`)
  return found[0]
}

/** Loads the configuration that is named, or the one in this folder; `undefined` without any. */
export async function loadConfig(named: string | undefined): Promise<ConfigFile | undefined> {
  const name = named ?? findConfig()
  if (name === undefined) return undefined
  const file = resolve(name)
  if (!existsSync(file)) throw new SettingsError(`The configuration [${name}] does not exist.`)
  const { problems, config } = readConfig(await importConfig(file, name))
  return { name, problems, config: resolvePaths(dirname(file), config) }
}

async function importConfig(file: string, name: string): Promise<unknown> {
  const url = pathToFileURL(file).href
  const hooks = registerResolver(url)
  try {
    const loaded: object = await import(url)
    if ('default' in loaded) return loaded.default
  } catch (error) {
    throw new SettingsError(`${name} could not be loaded: ${reasonOf(error)}`, { cause: error })
  } finally {
    hooks.deregister()
  }
  throw new SettingsError(
    `${name} has no default export. End it with: export default defineAdmin({ … })`,
  )
}

/**
 * Loads the configuration as TypeScript whatever its name, so that errors keep their line; and
 * resolves `tablewire` to this package if it is not installed beside the configuration.
 */
const registerResolver = (config: string) =>
  registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        const isTyped = found.url === config || (!found.format && found.url.endsWith('.ts'))
        return isTyped ? { ...found, format: 'module-typescript' } : found
      } catch (error) {
        const isOwnImport = context.parentURL?.startsWith(OWN)
        if (isOwnImport || !/^tablewire(?:$|\/)/.test(specifier)) throw error
        return { url: import.meta.resolve(specifier), shortCircuit: true }
      }
    },
  })

/** The error's own message, with its position. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `it throws [${String(error)}].`
  const message = error.message.replace(/[.\s]+$/, '')
  const place = placeOf(error)
  return place === undefined ? `${message}.` : `${message} (${place}).`
}

/** The first position of the stack in a file of the person's. */
function placeOf({ stack = '' }: Error): string | undefined {
  for (const line of stack.split('\n')) {
    const [, at = '', position] =
      /(?:^|[\s(])((?:file:\/\/)?\/\S+?):(\d+(?::\d+)?)\)?$/.exec(line) ?? []
    const url = at.startsWith('/') ? pathToFileURL(at).href : at
    if (position !== undefined && !url.startsWith(OWN) && !url.includes('/node_modules/'))
      return `${relative('', fileURLToPath(url))}:${position}`
  }
  return undefined
}

/** Paths in a configuration are relative to its folder. */
function resolvePaths(folder: string, config: AdminConfig): AdminConfig {
  const { database, data, metadata, client } = config
  return {
    ...config,
    ...(client !== undefined && { client: resolve(folder, client) }),
    ...(database !== undefined && { database: databaseFrom(folder, database) }),
    ...(data !== undefined && { data: resolve(folder, data) }),
    ...(metadata !== undefined && {
      metadata: metadata === 'beside' ? metadata : databaseFrom(folder, metadata),
    }),
  }
}

function databaseFrom(folder: string, database: string): string {
  const [, scheme = '', path = ''] = /^(file:|sqlite:(?:\/\/)?)?([^]*)$/i.exec(database) ?? []
  const isAddress = scheme === '' && schemeOf(path) !== undefined
  return isAddress || isAbsolute(path) ? database : scheme + resolve(folder, path)
}
