/** Finds what draws pages: the built `#render` entry, the server's only way to React. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Renderer } from './document.ts'

/** Throws with the command to run where there is no build; a broken one says for itself what is wrong. */
export async function loadRenderer(): Promise<Renderer> {
  // A variable, so that the server's types and bundles never follow it into the browser's line.
  const entry = '#render'
  const file = import.meta.resolve(entry)
  if (!existsSync(new URL(file)))
    throw new Error(`There is no renderer at [${fileURLToPath(file)}]. Run \`npm run build\`.`)
  const { render } = (await import(entry)) as { render: Renderer }
  return render
}
