/** Listens to a database whose triggers tell of writes, where somebody has installed them. */

import type { ChangeNotices } from '../../table/source/row-source.ts'
import { CHANGES_CHANNEL, CHANGES_FUNCTION } from './change-triggers.ts'
import type { Connector } from './connector.ts'
import { type Client, endClient } from './driver.ts'

/** How often to look whether there are triggers by now, or the server is back, ms. */
const LOOK_AGAIN_MS = 30_000

/** Takes a connection of its own while there are triggers. Calls `heard` on each write, and once it listens. */
export function listenForChanges(connector: Connector, heard: () => void): ChangeNotices {
  let current: Client | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function again(): void {
    current = undefined
    if (isStopped) return
    timer = setTimeout(() => void connect(), LOOK_AGAIN_MS)
    timer.unref()
  }

  async function connect(): Promise<void> {
    let client: Client | undefined
    try {
      client = await connector.connect()
      if (await listens(client)) return
    } catch {
      // The database says elsewhere that it is away.
    }
    if (client) void endClient(client)
    again()
  }

  async function listens(client: Client): Promise<boolean> {
    const run = (text: string) => client.query({ text, values: [], rowMode: 'array' })
    const { rows } = await run(`select 1 where to_regprocedure('${CHANGES_FUNCTION}') is not null`)
    if (rows.length === 0 || isStopped) return false
    client.on('notification', heard)
    await run(`listen ${CHANGES_CHANNEL}`)
    if (isStopped) return false
    current = client
    client.on('end', () => {
      if (current === client) again()
    })
    // Writes before this moment were not heard.
    heard()
    return true
  }

  const started = connect()
  return {
    isOn: () => current !== undefined,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await started
      const client = current
      current = undefined
      if (client) await endClient(client)
    },
  }
}
