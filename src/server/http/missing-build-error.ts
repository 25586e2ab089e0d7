/** Says how to get the files of a build that are missing. */

import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))

type Missing = {
  /** The file or folder that was looked for. */
  readonly path: string
  readonly cause?: unknown
  /** The folder of this package. Default: where this file is. */
  readonly root?: string
}

/**
 * An error that says what is missing, and what to do: the package's own files come with it, or are
 * built from its sources; all others are those of `tablewire build`.
 */
export function missingBuildError(what: string, { path, cause, root = PACKAGE }: Missing): Error {
  const own = join(root, 'dist')
  const isOwn = `${path}${sep}`.startsWith(`${own}${sep}`)
  const isClone = existsSync(join(root, 'src'))
  return new Error(
    `${what} ${
      !isOwn
        ? 'Run: npx tablewire build'
        : isClone
          ? 'Run: npm run build'
          : 'The installed package is incomplete. Install it again: npm install tablewire --force'
    }`,
    { cause },
  )
}
