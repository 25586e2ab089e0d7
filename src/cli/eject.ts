/** Writes what was inferred about a database into files. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Correction, withCorrections } from '../table/definition/corrections.ts'
import { inferTables } from '../table/definition/infer.ts'
import type { Schema } from '../table/source/schema.ts'
import { findConfig } from './config-file.ts'
import { configText } from './config-text.ts'
import { schemaText, TYPES_HEAD } from './schema-text.ts'
import { schemeOf } from './open-database.ts'
import { SettingsError } from './settings.ts'
import { messageOf } from './errors.ts'

const CONFIG = 'tablewire.config.ts'
const TYPES = 'tablewire.schema.ts'

export type EjectOptions = {
  /** File to write; its name by default. */
  readonly out: string | undefined
  /** The database as it was named. */
  readonly database: string
  /** Whether the command line named it, not the environment. */
  readonly isNamed: boolean
  /** What administrators have corrected in the page. Default: nothing. */
  readonly corrections?: readonly Correction[]
}

/** The files that `eject` will write. Throws if one of them exists. */
export function filesToEject(out: string | undefined): {
  config: string
  types: string | undefined
} {
  const config = out ?? findConfig() ?? CONFIG
  const types = /\.[cm]?js$/.test(config) ? undefined : join(dirname(config), TYPES)
  for (const file of [config, types])
    if (file !== undefined && existsSync(file))
      throw new SettingsError(
        `[${file}] is there already, and eject overwrites nothing. Name another file with --out.`,
      )
  return { config, types }
}

/** Writes the configuration and the type that it imports; returns the names of the files. */
export function eject(schema: Schema, options: EjectOptions): string[] {
  const { config, types } = filesToEject(options.out)
  const { corrections = [] } = options
  const { definitions: corrected } = withCorrections(corrections, {
    ...{ schema, declared: {}, kinds: [] },
  })
  const text = configText({
    definitions: inferTables(schema.tables, corrected).values(),
    corrected,
    database: options.isNamed ? nameFrom(dirname(config), options.database) : undefined,
    types: types && `./${basename(types)}`,
  })
  create(config, text)
  if (types) create(types, schemaText(schema))
  return types ? [config, types] : [config]
}

/** Writes the type of the database; overwrites only a file that it wrote. Returns the file's name. */
export function writeTypes(schema: Schema, out = TYPES): string {
  if (existsSync(out) && !readFileSync(out, 'utf8').startsWith(TYPES_HEAD))
    throw new SettingsError(
      `[${out}] was not written by tablewire types, so it is left alone. Name another file with --out.`,
    )
  write(out, schemaText(schema), 'w')
  return out
}

const create = (file: string, text: string): void => write(file, text, 'wx')

function write(file: string, text: string, flag: 'w' | 'wx'): void {
  try {
    writeFileSync(file, text, { flag })
  } catch (cause) {
    throw new SettingsError(`[${file}] cannot be written: ${messageOf(cause)}.`, { cause })
  }
}

/** The path relative to the folder, or the address; `undefined` if that holds a password. */
function nameFrom(folder: string, database: string): string | undefined {
  if (schemeOf(database) === undefined) {
    const path = relative(folder, resolve(database)).split(sep).join('/')
    return isAbsolute(path) || path.startsWith('.') ? path : `./${path}`
  }
  return /:\/\/[^/]*@|password/i.test(database) ? undefined : database
}
