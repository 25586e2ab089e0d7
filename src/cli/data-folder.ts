/** Creates the folder for Tablewire's own records, or says in one sentence why it cannot. */

import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { SettingsError } from './settings.ts'
import { codeOf } from './errors.ts'

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'the folder that it should be in does not exist',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/**
 * Creates the folder if it is missing, and keeps it from others. Throws `SettingsError` if it is not
 * writable.
 */
export function makeDataFolder(folder: string, warn: (line: string) => void): void {
  const refused = (reason: string) =>
    new SettingsError(
      `Tablewire cannot keep its records in [${folder}]: ${reason}. Name another folder with --data.`,
    )
  if (folder === '') throw refused('it has no name')
  try {
    // Without its parents: a mistyped path should be reported, not created.
    if (!statSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode: 0o700 })
    if (!statSync(folder).isDirectory()) throw refused('it is a file')
    accessSync(folder, constants.W_OK)
    if (isOpenToOthers(folder) && !tighten(folder))
      warn(
        `Others may read the data folder [${folder}]. Run “chmod 700 ${folder}”, or name a folder of its own with --data.`,
      )
  } catch (error) {
    if (error instanceof SettingsError) throw error
    throw refused(REASONS[codeOf(error)] ?? String(error))
  }
}

/** Windows has no such modes; there the folder inherits the permissions of the person's own. */
const isOpenToOthers = (folder: string): boolean =>
  process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0

/** What Tablewire keeps in its folder, and the demo. */
const OWN =
  /^(?:secret|(?:meta|ledger|demo)\.sqlite|server\.json|(?:realtime|files|thumbnails)(?:$|\.))/

/**
 * Takes everybody else's rights away, and returns whether that was done. A folder with other files,
 * such as `/tmp` or a home, is not ours to close.
 */
function tighten(folder: string): boolean {
  if (!readdirSync(folder).every((name) => OWN.test(name))) return false
  try {
    chmodSync(folder, 0o700)
  } catch {
    return false
  }
  // Some file systems accept a mode and ignore it.
  return !isOpenToOthers(folder)
}
