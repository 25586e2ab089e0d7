/** Which server runs on a data folder: written down while it listens, so that others find it. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import * as v from 'valibot'

const schema = v.object({
  /** Where it answers on this machine. */
  address: v.pipe(v.string(), v.url()),
  /** Where browsers reach it. */
  origin: v.string(),
  pid: v.number(),
})

export type RunningServer = v.InferOutput<typeof schema>

/** A server that runs answers within this time, ms. */
const PATIENCE_MS = 2000

const fileOf = (dataFolder: string) => join(dataFolder, 'server.json')

/** Writes a server down, unless another one runs on the folder. Returns what strikes it out again. */
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

/** The server that runs on a data folder. One that has died without a word is none: it is asked. */
export async function findServer(dataFolder: string): Promise<RunningServer | null> {
  const server = await readServer(fileOf(dataFolder))
  return server && isAlive(server.pid) && (await isHealthy(server.address)) ? server : null
}

async function readServer(file: string): Promise<RunningServer | null> {
  try {
    return v.parse(schema, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // No such file, or none of ours.
    return null
  }
}

/** Another server may have got the port since; the process is another one then. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const isHealthy = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(`${address}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    request.once('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.once('error', () => resolve(false))
  })
