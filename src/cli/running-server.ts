/** Notes in the data folder which server runs on it, so that other commands find it. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import * as v from 'valibot'
import { codeOf } from './errors.ts'

const schema = v.object({
  /** Where it answers on this machine, with its prefix. */
  address: v.pipe(v.string(), v.url()),
  /** Where browsers reach it, with its prefix. */
  origin: v.string(),
  /** Whether it was started with `--url`, so that `origin` is right elsewhere, too. */
  hasUrl: v.optional(v.boolean(), false),
  pid: v.number(),
})

export type RunningServer = v.InferOutput<typeof schema>

/** How long a running server may take to answer, ms. */
const ANSWER_TIMEOUT_MS = 2000

const fileOf = (dataFolder: string) => join(dataFolder, 'server.json')

/** Notes a server, unless another one runs on the folder. Returns what removes the note. */
export async function noteServer(
  dataFolder: string,
  server: RunningServer,
): Promise<() => Promise<void>> {
  const file = fileOf(dataFolder)
  if (await findServer(dataFolder)) return () => Promise.resolve()
  await writeFile(file, JSON.stringify(server), { mode: 0o600 })
  return async () => {
    if ((await readServer(file))?.pid === server.pid) await rm(file, { force: true })
  }
}

/** The server that runs on a data folder; asks its health, since a crashed one leaves its note. */
export async function findServer(dataFolder: string): Promise<RunningServer | null> {
  const server = await readServer(fileOf(dataFolder))
  return server && isAlive(server.pid) && (await isHealthy(server.address)) ? server : null
}

async function readServer(file: string): Promise<RunningServer | null> {
  try {
    return v.parse(schema, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // There is no such file, or another program wrote it.
    return null
  }
}

/** Checks the process too: another server may have taken the port since. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

const isHealthy = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(`${address}/healthz`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    request.once('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.once('error', () => resolve(false))
  })
