/** What the command prints, and which version of Tablewire prints it. */

import { readFile } from 'node:fs/promises'
import * as v from 'valibot'

/** Prints a line. Returns the exit code of a command that has done what it was asked. */
export function say(line: string): 0 {
  console.log(line)
  return 0
}

const packageSchema = v.object({ version: v.string() })

export async function version(): Promise<string> {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return v.parse(packageSchema, JSON.parse(file)).version
}
