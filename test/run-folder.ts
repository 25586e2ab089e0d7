/** A folder for all that a run makes; it is removed when the run ends. */

import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tests make thousands of databases, each of which would wait for a disk many times. */
const MEMORY = '/dev/shm'
/** What a run may need of it at once, bytes. */
const ROOM = 4 * 2 ** 30

/** Makes the folder, and names it to the processes that run the tests, as the one for files of the moment too. */
export function setup(): () => void {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'tablewire-run-'))
  process.env['TABLEWIRE_RUN_FOLDER'] = folder
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
