/** Measures what uploads cost: beside a bare endpoint that writes to the same disk, in memory, and to other people. */

import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_PART } from '../src/protocol/upload.ts'
import { openUploadDesk, type UploadDesk } from '../test/upload-desk.ts'
import { atLeast, atMost, type Figure, median, percentile, timed } from './measure.ts'
import { type Parcel, sendFiles } from './send-files.ts'

const GIB = 1024 ** 3
const MB = 1024 ** 2
const TURNS = 3
const AT_ONCE = 20

export async function uploads(): Promise<Figure[]> {
  const desk = await openUploadDesk()
  const bare = await openBare()
  const times = { ours: [] as number[], bare: [] as number[] }
  const held: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    times.bare.push(await sendFiles([{ url: bare.url, headers: {}, part: 'file', bytes: GIB }]))
    const parcel = await parcelTo(desk, GIB)
    const memory = watchMemory()
    times.ours.push(await sendFiles([parcel.parcel]))
    held.push(memory.most() / MB)
    await parcel.takeBack()
  }
  const list = () => desk.ana.page('/admin/tables/fruit')
  await timed(50, list)
  const idle = percentile(await timed(200, list), 0.95)
  const parcels = await Promise.all(Array.from({ length: AT_ONCE }, () => parcelTo(desk, 12 * MB)))
  const memory = watchMemory()
  let isSending = true
  const sent = sendFiles(parcels.map(({ parcel }) => parcel)).finally(
    () => void (isSending = false),
  )
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

async function parcelTo(desk: UploadDesk, bytes: number) {
  const begun = await desk.started({ name: 'a.txt', size: bytes })
  const { shown, snapshot, address } = begun
  const parcel: Parcel = {
    url: new URL(address.url, desk.host.origin).href,
    headers: { ...desk.headersOf(begun), cookie: 'host=ana' },
    part: UPLOAD_PART,
    bytes,
  }
  const [path = ''] = address.paths
  return { parcel, takeBack: () => desk.call(shown, snapshot, 'remove-upload', 'notes', path) }
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
