/** Finds the browser's half beside a configuration, and the folder that it is built into. */

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ConfigFile } from '../config-file.ts'
import { SettingsError } from '../settings.ts'

const NAMES = ['tsx', 'jsx', 'ts', 'js'].map((extension) => `tablewire.client.${extension}`)

/** Where it is built to, seen from the file, unless the configuration says otherwise. */
export const DEFAULT_OUT = 'dist-client'

export type ClientFile = {
  readonly entry: string
  /** The folder that a build of it is served from. */
  readonly out: string
}

/** `undefined` where there is none. Throws `SettingsError` where there are several. */
export function findClient(file: ConfigFile | undefined): ClientFile | undefined {
  const folder = file ? dirname(resolve(file.name)) : process.cwd()
  const [name, other] = NAMES.filter((name) => existsSync(join(folder, name)))
  if (other !== undefined)
    throw new SettingsError(`There are ${name} and ${other}. Leave one of them.`)
  if (name === undefined) return undefined
  return { entry: join(folder, name), out: file?.config.client ?? join(folder, DEFAULT_OUT) }
}
