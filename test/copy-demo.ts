/** Copies of the demo database, which a run of the tests builds once. */

import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildDemo } from '../demo/build.ts'

/** Writes the demo to `file`. */
export function copyDemo(file: string): void {
  const folder = process.env['TABLEWIRE_RUN_FOLDER']
  if (folder === undefined) return buildDemo(file)
  const built = join(folder, 'demo.sqlite')
  if (!existsSync(built)) buildDemo(built)
  copyFileSync(built, file)
}
