/** Finds what draws pages: the built `#render` entry, or one with pages of one's own. */

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Renderer } from './document.ts'

export type Rendering = {
  readonly render: Renderer
  /** Names of the pages that it can draw. */
  readonly pages: ReadonlySet<string>
}

/** The package's own entry, the server's only way to React. */
const OWN = '#render'

/**
 * Loads the module at the path `built`, by default the package's own. Throws with the command to run
 * where there is no build; a broken one says for itself what is wrong.
 */
export async function loadRenderer(built?: string): Promise<Rendering> {
  // A variable, so that the server's types and bundles never follow it into the browser's line.
  const url = built === undefined ? import.meta.resolve(OWN) : pathToFileURL(built).href
  if (!existsSync(new URL(url)))
    throw new Error(
      `There is no renderer at [${fileURLToPath(url)}]. Run \`${built === undefined ? 'npm run build' : 'tablewire build'}\`.`,
    )
  const { render, pages } = (await importWithOurs(url)) as { render: Renderer; pages: string[] }
  return { render, pages: new Set(pages) }
}

/** React and this package have to be the very ones that draw the rest of the page. */
const SHARED = /^(?:react|react-dom|tablewire)(?:\/|$)/

async function importWithOurs(url: string): Promise<unknown> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      context.parentURL === url && SHARED.test(specifier)
        ? { url: import.meta.resolve(specifier), shortCircuit: true }
        : next(specifier, context),
  })
  try {
    return await import(url)
  } finally {
    hooks.deregister()
  }
}
