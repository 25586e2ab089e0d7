/** The browser's files as Vite built them, and the version that they make up. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { ClientFiles } from './document.ts'

/** Address under which the files are served. */
export const ASSETS_PATH = '/tablewire/assets/'

const manifestSchema = v.record(
  v.string(),
  v.looseObject({
    file: v.string(),
    isEntry: v.optional(v.boolean()),
    css: v.optional(v.array(v.string()), []),
    assets: v.optional(v.array(v.string()), []),
  }),
)

export type LoadedClient = {
  readonly files: ClientFiles
  readonly version: string
  readonly folder: string
}

/** Reads the build's manifest. Throws with the command to run where there is no build. */
export async function loadClient(folder: string): Promise<LoadedClient> {
  const text = await readManifest(join(folder, 'manifest.json'))
  const entry = Object.values(v.parse(manifestSchema, JSON.parse(text))).find(
    ({ isEntry }) => isEntry,
  )
  if (!entry)
    throw new Error(`The client build in [${folder}] has no entry. Run \`npm run build\`.`)
  const href = (file: string) => ASSETS_PATH + file
  const fonts = entry.assets.filter((file) => /latin-wdth.*\.woff2$/.test(file)).slice(0, 1)
  return {
    folder,
    version: createHash('sha256').update(text).digest('base64url').slice(0, 12),
    files: { script: href(entry.file), styles: entry.css.map(href), fonts: fonts.map(href) },
  }
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`There is no client build at [${path}]. Run \`npm run build\`.`, { cause })
  }
}
