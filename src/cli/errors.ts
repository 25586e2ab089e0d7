/** Reads codes and messages of errors that the command did not throw itself. */

import { propertyOf } from '../server/property-of.ts'

/** The code of one of Node's errors, such as `ENOENT`; an empty text for what has none. */
export function codeOf(error: unknown): string {
  const code = propertyOf(error, 'code')
  return typeof code === 'string' ? code : ''
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
