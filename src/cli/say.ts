/** What the command prints, and which version of Tablewire prints it. */

import { readFile } from 'node:fs/promises'
import * as v from 'valibot'

export const say = (line: string): void => console.log(line)

const packageSchema = v.object({ version: v.string() })

export async function version(): Promise<string> {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return v.parse(packageSchema, JSON.parse(file)).version
}
