/** Measures what uploads cost: beside a bare endpoint that writes to the same disk, in memory, and to other people. */

import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_CALLS, UPLOAD_PART, type UploadAddress } from '../src/protocol/upload.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { browse, people } from '../test/embedding/guest.ts'
import { openUploadDesk, type UploadDesk } from '../test/upload-desk.ts'
import { atLeast, atMost, type Figure, median, percentile, timed } from './measure.ts'
import { type Parcel, sendFiles } from './send-files.ts'

const GIB = 1024 ** 3
const MB = 1024 ** 2
const TURNS = 3
const AT_ONCE = 20
/** A person may send six at once. */
const SENDERS = 4

export async function uploads(): Promise<Figure[]> {
  // All of the pages are one person’s.
  const desk = await openUploadDesk({ requestsPerMinute: 100_000_000 })
  const bare = await openBare()
  const times = { ours: [] as number[], bare: [] as number[] }
  const held: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    times.bare.push(await sendFiles([{ url: bare.url, headers: {}, part: 'file', bytes: GIB }]))
    const parcel = await parcelTo(desk, `sender${turn}`, GIB)
    const memory = watchMemory()
    times.ours.push(await sendFiles([parcel]))
    held.push(memory.most() / MB)
  }
  const list = () => desk.ana.page('/admin/tables/fruit')
  await timed(50, list)
  const idle = percentile(await timed(200, list), 0.95)
  const parcels = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => parcelTo(desk, `sender${at % SENDERS}`, 12 * MB)),
  )
  const memory = watchMemory()
  let isSending = true
  const sent = sendFiles(parcels).finally(() => void (isSending = false))
  const busy: number[] = []
  while (isSending) busy.push(...(await timed(1, list)))
  await sent
  const together = memory.most() / MB
  await bare.close()
  await desk.close()
  console.log(
    `  1 GiB, ms: ours ${times.ours.map(Math.round).join(', ')}; bare ${times.bare.map(Math.round).join(', ')}; memory above idle, MB: ${held.map(Math.round).join(', ')}; ${AT_ONCE} × 12 MB: ${Math.round(together)} MB, ${busy.length} pages meanwhile, p95 ${percentile(busy, 0.95).toFixed(1)} ms, idle ${idle.toFixed(1)} ms`,
  )
  return [
    atLeast('throughput of 1 GiB ÷ a bare endpoint', median(times.bare) / median(times.ours), 0.7),
    atMost('memory of 1 GiB above idle', median(held), 60, ' MB', 0),
    atMost(
      `p95 of a list while ${AT_ONCE} × 12 MB arrive ÷ idle`,
      percentile(busy, 0.95) / idle,
      3,
    ),
  ]
}

/** A file that a person is allowed to send. */
async function parcelTo({ host }: UploadDesk, person: string, bytes: number): Promise<Parcel> {
  people.set(person, { id: person, name: person, role: 'admin', session: person })
  const { page, post } = browse(host.origin, `host=${person}`)
  const { csrf, updateUrl, components } = await page('/admin/desk')
  const { snapshot } = components.find(({ name }) => name === 'desk')!
  const file = { name: 'a.txt', size: bytes, type: 'text/plain' }
  const calls = [{ method: UPLOAD_CALLS.start, params: ['notes', [file], true] }]
  const asked = { _token: csrf, components: [{ snapshot, updates: {}, calls }] }
  const answer = await post(updateUrl, JSON.stringify(asked))
  const { components: answered } = (await answer.json()) as UpdateResponse
  // What `start-upload` answers.
  const { url } = answered[0]!.effects.returns![0] as unknown as UploadAddress
  return {
    url: new URL(url, host.origin).href,
    headers: {
      ...{ origin: host.origin, cookie: `host=${person}`, 'x-csrf-token': csrf },
      'x-requested-with': 'XMLHttpRequest',
    },
    ...{ part: UPLOAD_PART, bytes },
  }
}

/** The most that the process has held since, above what it held at first. */
function watchMemory() {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 20)
  return {
    most(): number {
      clearInterval(timer)
      return highest - before
    },
  }
}

/** Writes whatever is posted to a file, and flushes it. */
async function openBare() {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-bare-'))
  const store = async (body: AsyncIterable<Buffer>) => {
    const file = await open(join(folder, 'file'), 'w')
    for await (const piece of body) await file.write(piece)
    await file.sync()
    await file.close()
  }
  const server = createServer((request, response) => void store(request).then(() => response.end()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
