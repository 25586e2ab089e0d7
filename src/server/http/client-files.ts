/** The client's files as Vite built them, and the version of the client. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { missingBuildError } from './missing-build-error.ts'
import type { ClientFiles } from './document.ts'

/** Path of the client's files, unless all addresses have a prefix. */
export const ASSETS_PATH = '/tablewire/assets/'

const manifestSchema = v.record(
  v.string(),
  v.looseObject({
    file: v.string(),
    src: v.optional(v.string(), ''),
    isEntry: v.optional(v.boolean()),
    imports: v.optional(v.array(v.string()), []),
    css: v.optional(v.array(v.string()), []),
    assets: v.optional(v.array(v.string()), []),
  }),
)

/** Whether a file of a build is for browsers: manifests and hidden files are not. */
export const isForBrowsers = (path: string): boolean =>
  !/(?:^|\/)(?:\.|(?:[\w-]+[.-])?manifest\.json)/.test(path)

/** The source of a language's messages: in the package's own build, and in `tablewire build`. */
const MESSAGES = /^src\/messages\/([\w-]+)\.ts$|tablewire:language\/([\w-]+)$/

/** The source of the script that keeps early keys, likewise. */
const KEYS = /(?:^|\/)ui\/early-keys\.[jt]s$/

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
  const manifest = v.parse(manifestSchema, JSON.parse(text))
  const chunks = Object.values(manifest)
  const entries = chunks.filter(({ isEntry }) => isEntry)
  const entry = entries.find(({ src }) => !KEYS.test(src))
  const keysEntry = entries.find(({ src }) => KEYS.test(src))
  // The main script imports it, so the entry itself may only be a reference to what both share.
  const keys = manifest[keysEntry?.imports[0] ?? ''] ?? keysEntry
  if (!entry)
    throw missingBuildError(`The client build in [${folder}] has no entry.`, { path: folder })
  const href = (file: string) => path + file
  const imported = entry.imports.flatMap((name) => manifest[name] ?? [])
  // A style sheet belongs to the file that imports it.
  const first = [entry, ...imported]
  const assets = first.flatMap((chunk) => chunk.assets)
  const fonts = assets.filter((file) => /latin-wdth.*\.woff2$/.test(file)).slice(0, 1)
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
      ...(keys && { keys: href(keys.file) }),
      imports: imported.map(({ file }) => href(file)),
      styles: first.flatMap(({ css }) => css).map(href),
      fonts: fonts.map(href),
      messages: Object.fromEntries(messages),
    },
  }
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw missingBuildError(`There is no client build at [${path}].`, { path, cause })
  }
}
