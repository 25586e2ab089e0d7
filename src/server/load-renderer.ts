/** Finds what draws pages: the built `#render` entry, the server's only way to React. */

import type { Renderer } from './document.ts'

/** Throws with the command to run where there is no build. */
export async function loadRenderer(): Promise<Renderer> {
  // A variable, so that the server's types and bundles never follow it into the browser's line.
  const entry = '#render'
  try {
    const { render } = (await import(entry)) as { render: Renderer }
    return render
  } catch (cause) {
    throw new Error('There is no built renderer. Run `npm run build`.', { cause })
  }
}
