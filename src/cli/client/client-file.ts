/** Finds the browser's half beside a configuration, and the folder that it is built into. */

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CLIENT_PARTS } from '../../admin/compose/client-folders.ts'
import type { ConfigFile } from '../config-file.ts'
import { SettingsError } from '../settings.ts'

const NAMES = ['tsx', 'jsx', 'ts', 'js'].map((extension) => `tablewire.client.${extension}`)

/** The folder of the build, beside the file, unless the configuration names another. */
const DEFAULT_OUT = 'dist-client'

export type ClientFile = {
  readonly entry: string
  /** The folder that it is built into and served from. */
  readonly out: string
}

const folderOf = (file: ConfigFile | undefined): string =>
  file ? dirname(resolve(file.name)) : resolve()

/** `undefined` if there is none. Throws `SettingsError` if there are several. */
export function findClient(file: ConfigFile | undefined): ClientFile | undefined {
  const folder = folderOf(file)
  const [name, other] = NAMES.filter((name) => existsSync(join(folder, name)))
  if (other !== undefined)
    throw new SettingsError(`There are ${name} and ${other}. Leave one of them.`)
  if (name === undefined) return undefined
  return { entry: join(folder, name), out: file?.config.client ?? join(folder, DEFAULT_OUT) }
}

/**
 * The folder to serve: the one that the configuration names, or the one that the file beside it is
 * built into, or `dist-client` alone, for deployments without the source.
 */
export function builtClient(file: ConfigFile | undefined): string | undefined {
  const named = file?.config.client ?? findClient(file)?.out
  if (named !== undefined) return named
  const folder = join(folderOf(file), DEFAULT_OUT)
  return existsSync(join(folder, CLIENT_PARTS.note)) ? folder : undefined
}
