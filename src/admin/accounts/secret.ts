/** Secrets: from the environment, or generated into files of the data folder. */

import { createHash, randomBytes as randomBytesOfNode } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRepetitive } from '../../server/keys.ts'
import { makeId, makeToken, type RandomBytes } from './tokens.ts'

/** Shortest secret, bytes. */
export const SECRET_BYTES = 32

/**
 * The 32 bytes derived from `TABLEWIRE_SECRET`, or else from `<dataFolder>/secret`, which is created
 * where it is missing. The same text gives the same secret in either place. Throws one sentence that
 * says what is wrong and how to fix it.
 */
export async function loadSecret(
  dataFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  randomBytes: RandomBytes = randomBytesOfNode,
): Promise<Uint8Array> {
  const given = env['TABLEWIRE_SECRET']
  if (given !== undefined) return rootOf(given, 'TABLEWIRE_SECRET')
  const { text, file } = await keptText(dataFolder, 'secret', randomBytes, makeToken)
  return rootOf(text, file)
}

/**
 * A secret text in the data folder, which `make` makes where its file is missing. Throws one sentence
 * if others than the owner may read it.
 */
export async function keptText(
  dataFolder: string,
  name: string,
  randomBytes: RandomBytes,
  make: (randomBytes: RandomBytes) => string,
): Promise<{ readonly text: string; readonly file: string }> {
  const file = join(dataFolder, name)
  if (!(await exists(file)))
    await create(dataFolder, file, `${file}.${makeId(randomBytes)}`, make(randomBytes))
  await refuseOpenToOthers(file)
  return { text: await readFile(file, 'utf8'), file }
}

/** Hashes the text, so that hex, base64url and words all give 32 bytes. */
function rootOf(text: string, place: string): Uint8Array {
  const secret = text.trim()
  if (Buffer.byteLength(secret) < SECRET_BYTES)
    throw new Error(`The secret in ${place} is too short: ${HOW_TO_MAKE_ONE}.`)
  if (isRepetitive(secret))
    throw new Error(`The secret in ${place} repeats too few characters: ${HOW_TO_MAKE_ONE}.`)
  return createHash('sha256').update(secret).digest()
}

const HOW_TO_MAKE_ONE = `it needs ${SECRET_BYTES} bytes or more, such as “openssl rand -hex 32” prints`

const exists = (file: string) =>
  stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/** Writes a draft, then links it into place: the first process wins, and all read its secret. */
async function create(folder: string, file: string, draft: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeDurably(draft, `${text}\n`)
    await link(draft, file).catch(unlessCode('EEXIST'))
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Windows has no such mode; there the folder's permissions protect the file. */
async function refuseOpenToOthers(file: string): Promise<void> {
  const { mode } = await stat(file)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new Error(
    `The secret in ${file} can be read by others than its owner: run “chmod 600 ${file}”.`,
  )
}

const unlessCode = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}
