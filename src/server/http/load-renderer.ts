/** Loads the module that draws pages: the built `#render` entry, or one with pages of your own. */

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { missingBuildError } from './missing-build-error.ts'
import type { Renderer } from './document.ts'

export type Rendering = {
  readonly render: Renderer
  /** Names of the pages that it can draw. */
  readonly pages: ReadonlySet<string>
  /** What the client adds to the admin. */
  readonly added: AddedNames
}

/** Names of the pages and kinds of columns in `defineClient`. */
export type AddedNames = { readonly pages: readonly string[]; readonly kinds: readonly string[] }

type RendererModule = Pick<Rendering, 'render' | 'added'> & { readonly pages: readonly string[] }

/** The package's own entry: the only way in which the server reaches React. */
const OWN = '#render'

/**
 * Loads the module at the path `built`, by default the package's own. If there is none, throws with
 * the command that builds it. Errors of the module itself pass through.
 */
export async function loadRenderer(built?: string): Promise<Rendering> {
  // Not a literal in `import()`, so that type checks and bundles of the server do not follow it.
  const url = built === undefined ? import.meta.resolve(OWN) : pathToFileURL(built).href
  const path = fileURLToPath(url)
  if (!existsSync(path)) throw missingBuildError(`There is no renderer at [${path}].`, { path })
  // Both builds of the renderer export these.
  const { render, pages, added } = (await importSharing(url)) as RendererModule
  return { render, pages: new Set(pages), added }
}

/** React and this package must be the same instances that draw the rest of the page. */
const SHARED = /^(?:react|react-dom|tablewire)(?:\/|$)/

async function importSharing(url: string): Promise<unknown> {
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
