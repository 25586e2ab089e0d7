/** Creates the folder for Tablewire's own records, or says in one sentence why it cannot. */

import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { SettingsError } from './settings.ts'

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'the folder that it should be in does not exist',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/** Creates the folder if it is missing. Throws `SettingsError` if it is not writable. */
export function makeDataFolder(folder: string): void {
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
  } catch (error) {
    if (error instanceof SettingsError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw refused(REASONS[code] ?? String(error))
  }
}
