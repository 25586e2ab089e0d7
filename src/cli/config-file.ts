/** Finds and loads `tablewire.config.ts`, and tells plainly why it cannot be loaded. */

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type AdminConfig, readConfig } from '../admin/compose/define-admin.ts'
import type { Problem } from '../table/definition/problems.ts'
import { schemeOf } from './open-database.ts'
import { SettingsError } from './settings.ts'

const NAMES = ['tablewire.config.ts', 'tablewire.config.js', 'tablewire.config.mjs']

/** Files of this package: what fails there is not where the mistake is. */
const OWN = new URL('../', import.meta.url).href

export type ConfigFile = {
  /** The file as a person calls it. */
  readonly name: string
  /** What it declares, without what is wrong, its paths seen from here. */
  readonly config: AdminConfig
  /** What is wrong with it, but for its tables. */
  readonly problems: readonly Problem[]
}

/** The configuration in a folder, whether it can be loaded or not. Throws where there are several. */
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
  return { name, problems, config: seenFrom(dirname(file), config) }
}

async function importConfig(file: string, name: string): Promise<unknown> {
  const url = pathToFileURL(file).href
  const hooks = helpResolving(url)
  try {
    const loaded = (await import(url)) as { default?: unknown }
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
 * Reads the configuration as a module with types whatever it is called, so that mistakes have a
 * line; and where `tablewire` is not installed beside it, this very package stands in.
 */
const helpResolving = (config: string) =>
  registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        const isTyped = found.url === config || (!found.format && found.url.endsWith('.ts'))
        return isTyped ? { ...found, format: 'module-typescript' } : found
      } catch (error) {
        const isAsked = context.parentURL?.startsWith(OWN)
        if (isAsked || !/^tablewire(?:$|\/)/.test(specifier)) throw error
        return { url: import.meta.resolve(specifier), shortCircuit: true }
      }
    },
  })

/** The error in its own words, with its place. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `it throws [${String(error)}].`
  const message = error.message.replace(/[.\s]+$/, '')
  const place = placeOf(error)
  return place === undefined ? `${message}.` : `${message} (${place}).`
}

/** The first place of the stack that is in a file of the person's own. */
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

/** Paths of a configuration are seen from its own folder. */
function seenFrom(folder: string, config: AdminConfig): AdminConfig {
  const { database, data, client } = config
  return {
    ...config,
    ...(client !== undefined && { client: resolve(folder, client) }),
    ...(database !== undefined && { database: databaseFrom(folder, database) }),
    ...(data !== undefined && { data: resolve(folder, data) }),
  }
}

function databaseFrom(folder: string, database: string): string {
  const [, scheme = '', path = ''] = /^(file:|sqlite:(?:\/\/)?)?([^]*)$/i.exec(database) ?? []
  const isAddress = scheme === '' && schemeOf(path) !== undefined
  return isAddress || isAbsolute(path) ? database : scheme + resolve(folder, path)
}
