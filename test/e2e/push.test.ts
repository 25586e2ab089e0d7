/** Channels in a browser: when their script and their socket come, and what events do. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ACTIVITY_TIMEOUT_MS,
  PONG_TIMEOUT_MS,
  UNAVAILABLE_TIMEOUT_MS,
} from '../../src/protocol/constants.ts'
import { nightly } from '../nightly.ts'
import { type Board, openBoard } from './board.ts'
import { collectComplaints, type Office, openOffice } from './office.ts'
import { followRequests, hydrated } from './page-probe.ts'
import { addChannels, type PushServer, servePush } from './push-server.ts'

const CHANNEL = 'private-table.strikes'
const SCRIPT = '**/live-push-*.js'
const LIVE = { list: [CHANNEL] }

describe('a list', () => {
  let office: Office
  let push: PushServer
  let database: DatabaseSync
  let context: BrowserContext
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    // Its server is the test's own.
    office = await openOffice(undefined, { live: false })
    database = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  })
  afterAll(async () => {
    database.close()
    await office.close()
  })
  beforeEach(async () => {
    const { server } = office.admin.app
    // Without live lists, the admin's own listener ends every socket.
    server.removeAllListeners('upgrade')
    push = servePush(server)
    context = await office.signedIn()
    page = await context.newPage()
    complaints = collectComplaints(page)
  })
  afterEach(async () => {
    await context.close()
    push.close()
  })

  const open = () => page.goto(`${office.origin}/tables/strikes`)
  const joined = (channel = CHANNEL) => expect.poll(() => push.members(channel)).toBe(1)
  const first = () => page.locator('tbody tr').first()
  /** A word that no row has yet, in the first one. */
  async function change(): Promise<string> {
    const word = `Changed ${crypto.randomUUID().slice(0, 8)}`
    const key = await first().getAttribute('data-row-key')
    database.prepare('update strikes set airport_name = ? where id = ?').run(word, key)
    return word
  }

  nightly.detail('that does not listen loads no script for it, and opens no socket', async () => {
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await addChannels(context, {})
    await open()
    await hydrated(page)
    await page.getByRole('link', { name: 'Airports' }).first().click()
    await page.getByRole('heading', { name: 'Airports' }).waitFor()
    await followRequests(page)()
    expect(scripts.filter((url) => /push/.test(url))).toEqual([])
    expect(push.asked).toEqual([])
  })

  nightly.detail('loads the script once it is live, and is live without it', async () => {
    await addChannels(context, LIVE)
    const script = Promise.withResolvers<void>()
    let wasLive = false
    await page.route(SCRIPT, async (route) => {
      wasLive = await page
        .locator('#app > *')
        .first()
        .evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactFiber')))
      await script.promise
      await route.continue()
    })
    const asked = page.waitForRequest(SCRIPT)
    await open()
    await asked
    await page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').click()
    await page.waitForURL(/sort=phase/)
    expect(wasLive).toBe(true)
    expect(push.asked).toEqual([])
    script.resolve()
    await joined()
    expect(push.asked[0]).toMatch(/^\/app\/test-key\?protocol=7&client=js/)
    expect(complaints).toEqual([])
  })

  nightly.detail('whose script could not be loaded listens once it can', async () => {
    await addChannels(context, LIVE)
    await page.clock.install()
    let isDown = true
    for (const script of [SCRIPT, /live-work/])
      await page.route(script, (route) => (isDown ? route.abort() : route.continue()))
    const failed = page.waitForEvent('requestfailed')
    await open()
    await failed
    const status = page.locator('.live')
    await status.getByText('Not live').waitFor()
    isDown = false
    // Until the failure was noticed, there is nothing to wait for.
    await expect
      .poll(async () => {
        await page.clock.runFor(UNAVAILABLE_TIMEOUT_MS)
        return push.members(CHANNEL)
      })
      .toBe(1)
    await status.getByText('Live', { exact: true }).waitFor()
  })

  test('shows what an event is about, and what was missed while the connection was lost', async () => {
    await addChannels(context, LIVE)
    // Whoever joins reads anew, since something may have been missed.
    const read = page.waitForResponse(
      (response) =>
        response.url().endsWith('/tablewire/update') &&
        (response.request().postData() ?? '').includes('"calls":[]'),
    )
    await open()
    await joined()
    await read
    const told = await change()
    push.send(CHANNEL, 'changed', { table: 'strikes' })
    await first().getByText(told).waitFor()
    push.accepts = false
    push.drop()
    await expect.poll(() => push.members(CHANNEL)).toBe(0)
    const missed = await change()
    await expect.poll(() => push.asked.length).toBeGreaterThan(1)
    push.accepts = true
    // Left to itself, the library would wait for 15 s after the attempt that has failed.
    await first().getByText(missed).waitFor({ timeout: 12_000 })
    await joined()
  })

  test('names its socket in each request while it is connected (spec §7)', async () => {
    await addChannels(context, LIVE)
    const socketOf = async () => {
      const [request] = await Promise.all([
        page.waitForRequest((sent) => sent.url().endsWith('/tablewire/update')),
        page.getByRole('columnheader', { name: 'Phase' }).getByRole('button').click(),
      ])
      return request.headers()['x-socket-id']
    }
    push.accepts = false
    await open()
    await expect.poll(() => push.asked.length).toBeGreaterThan(0)
    expect(await socketOf()).toBeUndefined()
    push.accepts = true
    const [authorization] = await Promise.all([
      page.waitForRequest('**/broadcasting/auth'),
      joined(),
    ])
    const id = new URLSearchParams(authorization.postData() ?? '').get('socket_id')
    expect(id).toMatch(/^7\.\d+$/)
    expect(authorization.headers()).toMatchObject({
      'x-requested-with': 'XMLHttpRequest',
      'x-csrf-token': expect.stringMatching(/./),
      'x-socket-id': id,
    })
    expect(await socketOf()).toBe(id)
    push.accepts = false
    push.drop()
    await expect.poll(async () => socketOf()).toBeUndefined()
  })

  nightly.detail(
    'keeps the socket when the next page listens, and closes it after one that does not',
    async () => {
      await addChannels(context, { list: [CHANNEL] })
      await page.clock.install()
      await open()
      await joined()
      await page.getByRole('link', { name: 'Airports' }).first().click()
      await page.getByRole('heading', { name: 'Airports' }).waitFor()
      await page.clock.runFor(30_000)
      expect(push.members(CHANNEL)).toBe(1)
      expect(push.asked).toHaveLength(1)
      expect(push.received('pusher:subscribe')).toHaveLength(1)
      await first().getByRole('link').first().click()
      await page.waitForURL(/\/records\//)
      // What closes it is set off once the page is shown.
      await expect
        .poll(async () => {
          await page.clock.runFor(1000)
          return push.members(CHANNEL)
        })
        .toBe(0)
      expect(push.connections()).toBe(1)
      await page.clock.runFor(10_000)
      await expect.poll(() => push.connections()).toBe(0)
    },
  )

  nightly.detail(
    'pings a silent server after 120 s, and gives it up 30 s later (spec §9)',
    async () => {
      await addChannels(context, LIVE)
      await page.clock.install()
      const idle = followRequests(page)
      const opened = page.waitForEvent('websocket')
      await open()
      const socket = await opened
      await joined()
      await page.clock.pauseAt(Date.now() + 60_000)
      push.answers = false
      const heard = socket.waitForEvent('framereceived', ({ payload }) =>
        payload.includes('changed'),
      )
      push.send(CHANNEL, 'changed', null)
      await heard
      await idle()
      const pings = () => push.received('pusher:ping').length
      const before = pings()
      await page.clock.runFor(ACTIVITY_TIMEOUT_MS - 1000)
      await idle()
      expect(pings()).toBe(before)
      await page.clock.runFor(2000)
      await expect.poll(pings).toBe(before + 1)
      await page.clock.runFor(PONG_TIMEOUT_MS - 2000)
      await idle()
      expect(push.asked).toHaveLength(1)
      await page.clock.runFor(2000)
      await expect.poll(() => push.asked.length).toBe(2)
    },
  )
})

describe('a page of somebody else’s', () => {
  let board: Board
  let page: Page
  let push: PushServer
  const server = createServer()

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    board = await openBoard({ parts: PARTS, uses: '<Room />' })
  }, 240_000)
  afterAll(async () => {
    server.close()
    await board.close()
  })
  beforeEach(async () => {
    push = servePush(server)
    page = await board.newPage()
    // A server listens on a port.
    const { port } = server.address() as AddressInfo
    await addChannels(page.context(), {}, { host: `http://127.0.0.1:${port}` })
  })
  afterEach(async () => {
    await page.context().close()
    push.close()
    server.removeAllListeners('upgrade')
  })

  /** Who is there, what has happened, and whether more would be heard. */
  const PARTS = `
    import type { TypedChannel } from 'tablewire/protocol'
    import { useChannel, useConnection, useEvent, usePresence } from 'tablewire/react'
    type Room = TypedChannel<{
      pattern: 'presence-room.{id}'
      events: { moved: { to: string }; closed: null }
      member: { name: string }
    }>
    function Room() {
      const { members, me } = usePresence<Room>('presence-room.{id}', { id: 'a.b' })
      const [log, setLog] = useState<string[]>([])
      const note = (text: string) => setLog((last) => [...last, text])
      useChannel<Room>(
        'presence-room.{id}',
        { id: 'a.b' },
        { moved: ({ to }) => note('moved to ' + to) },
        { missed: () => note('missed') },
      )
      useEvent<Room, 'closed'>('presence-room.{id}', { id: 'a.b' }, 'closed', () => note('closed'))
      const people = members.map(({ id, info }) => info.name + (id === me ? ' (me)' : ''))
      return <output aria-label="Room">{[useConnection(), people, log].join(' | ')}</output>
    }
  `
  const ROOM = 'presence-room.a=2Eb'

  test('listens by hooks to another server, whose members and events it shows', async () => {
    const room = page.getByRole('status', { name: 'Room' })
    const complaints = collectComplaints(page)
    await page.goto(board.address)
    await expect.poll(() => room.textContent()).toBe('connected | Ana (me),Bo | missed')
    // Our own server would know the person by their cookie.
    expect(push.received('pusher:signin')).toHaveLength(1)
    push.send(ROOM, 'moved', { to: 'gate 4' })
    push.send(ROOM, 'closed', null)
    push.send(ROOM, 'unheard of', null)
    push.send(ROOM, 'pusher_internal:member_removed', { user_id: 'bo' })
    await expect
      .poll(() => room.textContent())
      .toBe('connected | Ana (me) | missed,moved to gate 4,closed')
    expect(complaints).toEqual([])
    push.accepts = false
    push.drop()
    await expect.poll(() => room.textContent()).toMatch(/^connecting /)
    push.accepts = true
    await expect
      .poll(() => room.textContent())
      .toBe('connected | Ana (me),Bo | missed,moved to gate 4,closed,missed')
  })
})
