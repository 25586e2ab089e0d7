/** Where the built client is: the one that comes with this package, or one with pages of one's own. */

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { loadClient } from '../../server/http/client-files.ts'

/** The build that comes with this package, seen from where it was built to, or from its source. */
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
  /** What the server draws with. */
  renderer: join('server', 'render.js'),
  /** Which build of Tablewire it was made with. */
  note: 'built.json',
} as const

export type ClientFolders = {
  readonly browser: string
  /** The module that draws pages. Default: the package's own. */
  readonly renderer?: string
}

const noteSchema = v.object({ with: v.string() })

/** Identifies the build of Tablewire that a client is made with. */
export const ownVersion = async (): Promise<string> => (await loadClient(OWN_CLIENT)).version

/** Throws with the command to run where the folder holds no client, or one of another Tablewire. */
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
