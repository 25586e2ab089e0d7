/** Finds Vite, which whoever builds a client of their own has installed. */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as ViteModule from 'vite'
import { SettingsError } from '../settings.ts'

type Vite = typeof ViteModule

/** The major version that builds are made with. */
const MAJOR = 8

/** Throws `SettingsError` that says what to install. */
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

/** As the files in that folder would find it. */
async function importFrom(folder: string): Promise<Vite | undefined> {
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('vite')
    return (await import(pathToFileURL(file).href)) as Vite
  } catch (error) {
    return undefinedWhereMissing(error)
  }
}

/** Beside this package. */
async function importOwn(): Promise<Vite | undefined> {
  try {
    return await import('vite')
  } catch (error) {
    return undefinedWhereMissing(error)
  }
}

function undefinedWhereMissing(error: unknown): undefined {
  const { code } = error as { code?: string }
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') return undefined
  throw error
}
