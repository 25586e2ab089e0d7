/** A desk that takes files: a page of somebody else's with two upload fields, built and served. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import * as v from 'valibot'
import { buildClient } from '../../src/cli/client/build-client.ts'
import { defineComponent, page, uploadedFiles } from '../../src/exports/index.ts'
import { ANA, openGuest, people } from '../embedding/guest.ts'
import { HOSTS } from '../embedding/hosts.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { collectComplaints } from './office.ts'

export type Desk = {
  readonly browser: Browser
  /** A new browser in which Ana is signed in, on the page; `prepare` is called before it is loaded. */
  open(
    options?: BrowserContextOptions,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<{ page: Page; complaints: string[] }>
  close(): Promise<void>
}

const desk = defineComponent({
  name: 'desk',
  state: { photos: uploadedFiles, note: uploadedFiles },
  uploads: {
    photos: { types: ['image/png', 'image/jpeg', 'text/plain'], multiple: true, maxFiles: 3 },
    note: { types: ['text/plain'], maxBytes: 20_000 },
  },
  authorize: () => true,
  mount: () => ({ photos: [], note: [] }),
  actions: { empty: { args: v.strictTuple([]), run: ({ state }) => void (state.photos = []) } },
  view: ({ state }) => ({ photos: state.photos.map(({ name }) => name).join(', ') }),
})

const CLIENT = `
  import { useComponent, useUpload } from 'tablewire/react'
  import { defineClient, UploadField } from 'tablewire/ui'

  function Desk({ id }) {
    const { view, call } = useComponent(id)
    const photos = useUpload(id, 'photos', { multiple: true })
    const note = useUpload(id, 'note')
    return (
      <div className="page framed">
        <h1>Desk</h1>
        <UploadField label="Photographs" upload={photos} accept={['image/png', 'image/jpeg', 'text/plain']}
          maxBytes={12_000_000} multiple maxFiles={3} takesAddresses />
        <UploadField label="Note" hint="In plain words." upload={note} accept={['text/plain']}
          maxBytes={20_000} />
        <output>{view.photos}</output>
        <button type="button" className="btn line" onClick={() => void call.empty()}>Empty</button>
      </div>
    )
  }
  export default defineClient({ pages: { '/desk': () => <Desk id="desk" /> } })
`

export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(process.env['TABLEWIRE_RUN_FOLDER'] ?? tmpdir(), 'desk-'))
  const entry = join(folder, 'tablewire.client.tsx')
  writeFileSync(entry, CLIENT)
  const client = join(folder, 'client')
  await buildClient({ entry, out: client })
  people.set('ana', ANA)
  const guest = await openGuest({
    pages: [page('/desk', { title: 'Desk', components: { desk: desk.with() } })],
    ...{ client, dataFolder: join(folder, 'data'), components: [desk] },
    requestsPerMinute: 1_000_000,
  })
  const host = await HOSTS['node:http']!(guest.admin)
  const browser = await sharedBrowser()
  return {
    browser,
    async open(options, prepare) {
      const context = await browser.newContext({ locale: 'en-US', ...options })
      await context.addCookies([{ name: 'host', value: 'ana', url: host.origin }])
      const opened = await context.newPage()
      const complaints = collectComplaints(opened)
      await prepare?.(opened)
      await opened.goto(`${host.origin}/admin/desk`)
      return { page: opened, complaints }
    },
    async close() {
      await closeContexts(browser)
      await host.close()
      await guest.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
