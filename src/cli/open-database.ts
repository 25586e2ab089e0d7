/** Opens the named database with its engine. */

import { ENGINES, engineOf } from '../database/engines.ts'
import type { RowSource } from '../table/source/row-source.ts'
import { SettingsError } from './settings.ts'

/**
 * Opens a database by its address, or a SQLite file by its path; the engines' addresses are listed in
 * `database/engines.ts`. `env` may supply what the address leaves out. Throws one plain sentence
 * for anything else.
 */
export async function openDatabase(
  database: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RowSource> {
  const scheme = schemeOf(database)
  const engine = engineOf(scheme)
  if (engine) return engine.open(database, env)
  const names = ENGINES.map(({ name }) => name)
  throw new SettingsError(`Tablewire opens ${names.join(', ')}; [${scheme}:] is none of them.`)
}

/** The scheme of an address; `undefined` for a path, which may have a drive or a colon in it. */
export const schemeOf = (text: string): string | undefined =>
  /^(?:([a-z][a-z+]+):|([a-z][a-z\d+.-]+):\/\/)/i
    .exec(text)
    ?.slice(1)
    .find((scheme) => scheme !== undefined)
    ?.toLowerCase()
