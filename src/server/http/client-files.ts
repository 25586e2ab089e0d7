/** The client's files as Vite built them, and the version of the client. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { ClientFiles } from './document.ts'

/** Path of the client's files, unless all addresses have a prefix. */
export const ASSETS_PATH = '/tablewire/assets/'

const manifestSchema = v.record(
  v.string(),
  v.looseObject({
    file: v.string(),
    src: v.optional(v.string(), ''),
    isEntry: v.optional(v.boolean()),
    css: v.optional(v.array(v.string()), []),
    assets: v.optional(v.array(v.string()), []),
  }),
)

/** The source of a language's messages: in the package's own build, and in `tablewire build`. */
const MESSAGES = /^src\/messages\/([\w-]+)\.ts$|tablewire:language\/([\w-]+)$/

export type LoadedClient = {
  readonly files: ClientFiles
  readonly version: string
  readonly folder: string
  /** Path of the client's files, with a slash at its end. */
  readonly path: string
}

/**
 * Reads the manifest of the build in `folder`, to be served at `path`. If there is none, throws with
 * the command that makes one.
 */
export async function loadClient(folder: string, path = ASSETS_PATH): Promise<LoadedClient> {
  const text = await readManifest(join(folder, 'manifest.json'))
  const chunks = Object.values(v.parse(manifestSchema, JSON.parse(text)))
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry)
    throw new Error(`The client build in [${folder}] has no entry. Run \`npm run build\`.`)
  const href = (file: string) => path + file
  const fonts = entry.assets.filter((file) => /latin-wdth.*\.woff2$/.test(file)).slice(0, 1)
  const messages = chunks.flatMap(({ src, file }) => {
    const [, own, other = own] = MESSAGES.exec(src) ?? []
    return other === undefined ? [] : [[other, href(file)] as const]
  })
  return {
    folder,
    path,
    version: createHash('sha256').update(text).digest('base64url').slice(0, 12),
    files: {
      script: href(entry.file),
      styles: entry.css.map(href),
      fonts: fonts.map(href),
      messages: Object.fromEntries(messages),
    },
  }
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`There is no client build at [${path}]. Run \`npm run build\`.`, { cause })
  }
}
