/** Short texts between all who listen on one channel of a server, by its LISTEN and NOTIFY. */

import { createHash } from 'node:crypto'
import { Connector } from './connector.ts'
import { placeOf, readAddress } from './address.ts'
import { endClient, loadDriver } from './driver.ts'

export type NoticeListener = {
  /** What anybody has sent on the channel, this connection too. */
  heard(text: string): void
  /** The connection is over. */
  lost(error?: unknown): void
}

export type NoticeConnection = {
  /** In this order, each shorter than 8,000 bytes and unlike the others. Rejects with the driver's error. */
  send(texts: readonly string[]): Promise<void>
  close(): Promise<void>
}

export type Notices = {
  /** The server's name for messages. */
  readonly place: string
  connect(listener: NoticeListener): Promise<NoticeConnection>
}

const CONNECT_MS = 5000

/** Throws `DATABASE_UNAVAILABLE` for an address that cannot be read. Connects when asked to. */
export async function openNotices(
  url: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<Notices> {
  const address = readAddress(url, environment)
  const connector = new Connector(await loadDriver(), address, CONNECT_MS)
  // A channel's name is an identifier, and those have at most 63 bytes.
  const channel = `tablewire_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
  return {
    place: placeOf(address),
    async connect({ heard, lost }) {
      const client = await connector.connect()
      client.on('error', lost)
      client.on('end', lost)
      client.on('notification', ({ payload = '' }) => heard(payload))
      const run = (text: string, values: string[] = []) =>
        client.query({ text, values, rowMode: 'array' })
      try {
        await run(`listen ${channel}`)
      } catch (error) {
        void endClient(client)
        throw error
      }
      return {
        async send(texts) {
          const all =
            'select pg_notify($1, text) from json_array_elements_text($2::json) as t (text)'
          await run(all, [channel, JSON.stringify(texts)])
        },
        close: () => endClient(client),
      }
    },
  }
}
