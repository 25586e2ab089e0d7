/** A desk that takes notes as uploads, on a host of its own, and who comes to it. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineComponent, page, uploadedFiles } from '../src/exports/index.ts'
import type { Json } from '../src/protocol/json.ts'
import type { PageData } from '../src/protocol/page.ts'
import { UPLOAD_CALLS, type UploadAddress } from '../src/protocol/upload.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import type { AdminOptions } from '../src/admin/compose/admin-options.ts'
import { ANA, browse, type Guest, openGuest, people } from './embedding/guest.ts'
import { type Host, HOSTS } from './embedding/hosts.ts'
import { writeClient } from './own-client.ts'

const desk = defineComponent({
  name: 'desk',
  state: { notes: uploadedFiles },
  uploads: { notes: { types: ['text/plain'], multiple: true, maxBytes: 1024 ** 3 } },
  authorize: () => true,
  mount: () => ({ notes: [] }),
  actions: {},
  view: ({ state }) => state.notes.map(({ name }) => name),
})

/** What `start-upload` has answered on a page. */
export type Started = {
  readonly shown: PageData
  readonly snapshot: string
  readonly address: UploadAddress
}

export type UploadDesk = {
  readonly guest: Guest
  readonly host: Host
  /** Ana, Ana in another browser, and Ben. */
  readonly ana: ReturnType<typeof browse>
  readonly elsewhere: ReturnType<typeof browse>
  readonly ben: ReturnType<typeof browse>
  /** Lets time pass. */
  pass(ms: number): void
  /** Names of the files in a part of the storage. */
  stored(of: 'pending' | 'arriving' | 'kept' | 'transfers'): string[]
  /** Ana calls an action of the component on a page; answers with what it returned and the next snapshot. */
  call(
    shown: PageData,
    snapshot: string,
    method: string,
    ...params: Json[]
  ): Promise<{ returned: Json | undefined; view: unknown; snapshot: string }>
  started(...files: readonly { name: string; size: number }[]): Promise<Started>
  /** What Ana's page sends with every request. */
  headersOf(begun: Started): Record<string, string>
  close(): Promise<void>
}

export async function openUploadDesk(options: Partial<AdminOptions> = {}): Promise<UploadDesk> {
  let now = Date.UTC(2026, 10, 26)
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-uploads-'))
  const client = await writeClient(join(folder, 'client'), `{ '/desk': () => 'desk' }`)
  const guest = await openGuest({
    pages: [page('/desk', { title: 'Desk', components: { desk: desk.with() } })],
    ...{ client, dataFolder: join(folder, 'data'), components: [desk], now: () => now },
    ...options,
  })
  const host = await HOSTS['node:http']!(guest.admin)
  people.set('ana', ANA)
  people.set('elsewhere', { ...ANA, session: 's9' })
  people.set('ben', { ...ANA, id: 'u3', name: 'Ben', session: 's3' })
  const ana = browse(host.origin, 'host=ana')

  async function call(shown: PageData, snapshot: string, method: string, ...params: Json[]) {
    const part = { snapshot, updates: {}, calls: [{ method, params }] }
    const answer = await ana.post(
      shown.updateUrl,
      JSON.stringify({ _token: shown.csrf, components: [part] }),
    )
    if (!answer.ok) throw new Error(`${method}: ${answer.status}`)
    const { components } = (await answer.json()) as UpdateResponse
    const [{ effects, ...component } = { effects: {}, snapshot }] = components
    return { returned: effects.returns?.[0], view: effects.view, ...component }
  }

  return {
    ...{ guest, host, ana, call },
    elsewhere: browse(host.origin, 'host=elsewhere'),
    ben: browse(host.origin, 'host=ben'),
    pass: (ms) => void (now += ms),
    stored(of) {
      try {
        const within = join(folder, 'data/files', of)
        return readdirSync(within, { recursive: of === 'transfers', withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
      } catch {
        return []
      }
    },
    async started(...files) {
      const shown = await ana.page('/admin/desk')
      const { snapshot } = shown.components.find(({ name }) => name === 'desk')!
      const facts = files.map((file) => ({ ...file, type: 'text/plain' }))
      const answer = await call(shown, snapshot, UPLOAD_CALLS.start, 'notes', facts, true)
      return { shown, snapshot, address: answer.returned as unknown as UploadAddress }
    },
    headersOf: ({ shown }) => ({
      origin: host.origin,
      'x-csrf-token': shown.csrf,
      'x-requested-with': 'XMLHttpRequest',
    }),
    async close() {
      await host.close()
      await guest.close()
      rmSync(folder, { recursive: true })
    },
  }
}
