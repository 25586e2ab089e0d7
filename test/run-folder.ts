/** A folder for what all files of a run share; it is removed when the run ends. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes the folder and names it to the processes that run the tests. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-run-'))
  process.env['TABLEWIRE_RUN_FOLDER'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
