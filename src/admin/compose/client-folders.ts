/** Where the built client is: the package's own, or one that `tablewire build` wrote. */

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { loadClient } from '../../server/http/client-files.ts'

/** The package's own build, relative to this file in `dist` or in `src`. */
export const OWN_CLIENT = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/assets/' : '../../assets/',
    import.meta.url,
  ),
)

/** What `tablewire build` writes into a folder. */
export const CLIENT_PARTS = {
  /** What browsers load. */
  browser: 'browser',
  /** The module that draws pages on the server. */
  renderer: join('server', 'render.js'),
  /** Names the version of Tablewire that it was built with. */
  note: 'built.json',
} as const

export type ClientFolders = {
  readonly browser: string
  /** The module that draws pages. Default: the package's own. */
  readonly renderer?: string
}

const noteSchema = v.object({ with: v.string() })

/** Identifies this build of Tablewire. */
export const ownVersion = async (): Promise<string> => (await loadClient(OWN_CLIENT)).version

/** Throws, naming the command to run, if the folder holds no client or one of another version. */
export async function clientFolders(folder: string | undefined): Promise<ClientFolders> {
  if (folder === undefined) return { browser: OWN_CLIENT }
  const text = await readFile(join(folder, CLIENT_PARTS.note), 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no built client in [${folder}]. Run: tablewire build`, { cause })
  })
  if (v.parse(noteSchema, JSON.parse(text)).with !== (await ownVersion()))
    throw new Error(
      `The client in [${folder}] was built with another version of Tablewire. Run: tablewire build`,
    )
  const browser = resolve(folder, CLIENT_PARTS.browser)
  return { browser, renderer: resolve(folder, CLIENT_PARTS.renderer) }
}
