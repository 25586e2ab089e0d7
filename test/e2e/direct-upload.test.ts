/** A page whose files go into a bucket of S3: what a real browser sends there, and what it may not. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { buildClient } from '../../src/cli/client/build-client.ts'
import { defineComponent, page as definePage, uploadedFiles } from '../../src/exports/index.ts'
import { ANA, type Guest, openGuest, people } from '../embedding/guest.ts'
import { type Host, HOSTS } from '../embedding/hosts.ts'
import { nightly } from '../nightly.ts'
import { type FakeS3, openFakeS3 } from '../s3/fake-s3.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { collectComplaints } from './office.ts'

const desk = defineComponent({
  name: 'desk',
  state: { note: uploadedFiles },
  uploads: { note: { types: ['text/plain'] } },
  authorize: () => true,
  mount: () => ({ note: [] }),
  actions: {},
  view: () => ({}),
})

const CLIENT = `
  import { useUpload } from 'tablewire/react'
  import { defineClient } from 'tablewire/ui'

  function Desk() {
    const { add, files, items, errors } = useUpload('desk', 'note')
    return (
      <>
        <label>Note <input type="file" onChange={({ target }) => add(target.files ?? [])} /></label>
        <output aria-label="Files">{files.map(({ name, size }) => \`\${name} \${size}\`)}</output>
        <p role="alert" aria-label="Problem">{[...items.flatMap(({ messages }) => messages), ...errors].join(' ')}</p>
      </>
    )
  }
  export default defineClient({ pages: { '/desk': Desk } })
`

let s3: FakeS3
let folder: string
let guest: Guest
let host: Host
let browser: Browser

beforeAll(async () => {
  s3 = await openFakeS3()
  folder = mkdtempSync(join(process.env['TABLEWIRE_RUN_FOLDER'] ?? tmpdir(), 'direct-'))
  const entry = join(folder, 'tablewire.client.tsx')
  writeFileSync(entry, CLIENT)
  const client = join(folder, 'client')
  await buildClient({ entry, out: client })
  people.set('ana', ANA)
  guest = await openGuest({
    pages: [definePage('/desk', { title: 'Desk', components: { desk: desk.with() } })],
    ...{ client, components: [desk] },
    s3: { bucket: s3.bucket, endpoint: s3.endpoint, ...s3.credentials },
  })
  host = await HOSTS['node:http']!(guest.admin)
  s3.cors = [{ origins: [host.origin], methods: ['PUT'], headers: ['content-type'] }]
  browser = await sharedBrowser()
})
afterAll(async () => {
  await closeContexts(browser)
  await host.close()
  await guest.close()
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  s3.requests.length = 0
  s3.objects.clear()
})

nightly.detail(
  'a browser puts a file into the bucket with the server’s headers and no others of ours',
  async () => {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.addCookies([{ name: 'host', value: 'ana', url: host.origin }])
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    await page.goto(`${host.origin}/admin/desk`)
    const choose = (name: string, words: string) =>
      page
        .getByLabel('Note')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(words) })

    await choose('a.txt', 'hello')
    await expect
      .poll(() => page.getByRole('status', { name: 'Files' }).textContent())
      .toBe('a.txt 5')
    const puts = s3.requests.filter(
      ({ line, headers }) => line.startsWith('PUT') && headers.origin === host.origin,
    )
    expect(puts).toHaveLength(1)
    const [{ headers }] = puts as [(typeof puts)[number]]
    expect(headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': '5' })
    const ours = Object.keys(headers).filter((name) => name.startsWith('x-') || name === 'cookie')
    expect(ours).toEqual([])
    expect([...s3.objects.keys()].filter((key) => key.includes('/direct/'))).toEqual([])

    await choose('b.txt', 'he\0lo')
    await expect
      .poll(() => page.getByRole('alert', { name: 'Problem' }).textContent())
      .toBe('“b.txt” holds something else than its name says.')
    expect(s3.objects.size).toBe(1)
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
  },
)
