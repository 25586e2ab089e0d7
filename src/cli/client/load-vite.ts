/** Finds Vite, which your project installs to build a client. */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as ViteModule from 'vite'
import { SettingsError } from '../settings.ts'
import { codeOf } from '../errors.ts'

type Vite = typeof ViteModule

/** The major version that builds are made with. */
const MAJOR = 8

/** Throws `SettingsError` naming the command that installs it. */
export async function loadVite(folder: string): Promise<Vite> {
  const vite = (await importFrom(folder)) ?? (await importOwn())
  if (!vite)
    throw new SettingsError(
      `Building needs Vite, which is not installed. Run: npm install --save-dev vite@${MAJOR}`,
    )
  if (Number.parseInt(vite.version) !== MAJOR)
    throw new SettingsError(
      `Building needs Vite ${MAJOR}; this is Vite ${vite.version}. Run: npm install --save-dev vite@${MAJOR}`,
    )
  return vite
}

/** Resolves it as files in that folder would. */
async function importFrom(folder: string): Promise<Vite | undefined> {
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('vite')
    // What resolves as `vite` is Vite; the caller checks its version.
    return (await import(pathToFileURL(file).href)) as Vite
  } catch (error) {
    return undefinedWhereMissing(error)
  }
}

/** Resolves it as this package does. */
async function importOwn(): Promise<Vite | undefined> {
  try {
    return await import('vite')
  } catch (error) {
    return undefinedWhereMissing(error)
  }
}

function undefinedWhereMissing(error: unknown): undefined {
  const code = codeOf(error)
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') return undefined
  throw error
}
