/** A running admin over a small database, and the people, pages and sockets of its live events. */

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Admin, AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { PageData } from '../../src/protocol/page.ts'
import type { Call, Effects, UpdateResponse } from '../../src/protocol/wire.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'

export type Shop = {
  readonly folder: string
  /** Starts an admin of the shop; all of them share their records. */
  start(
    options?: Partial<AdminOptions>,
    wrap?: (source: RowSource) => RowSource,
  ): Promise<LiveAdmin>
  /** Writes behind the admins' back. */
  write(sql: string): void
  close(): Promise<void>
}

export type LiveAdmin = {
  readonly admin: Admin
  readonly origin: string
  /** The first person to sign in is an administrator, the others are editors. */
  signIn(name: string): Promise<Person>
}

export async function openShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-live-'))
  const file = join(folder, 'shop.sqlite')
  const write = (sql: string) => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  write(`create table orders (id integer primary key, note text);
    insert into orders (note) values ('why?'), ('because')`)
  const admins: Admin[] = []
  return {
    folder,
    write,
    async start(options = {}, wrap = (source) => source) {
      const admin = await createAdmin({
        dataFolder: join(folder, 'data'),
        live: true,
        ...options,
        source: options.source ?? wrap(await openSqlite(file)),
      })
      admins.push(admin)
      const origin = await admin.app.listen({ host: '127.0.0.1', port: 0 })
      const signIn = async (name: string) => new Person(origin, await cookieOf(admin, name))
      return { admin, origin, signIn }
    },
    async close() {
      for (const admin of admins) await admin.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function cookieOf({ accounts, sessionCookie }: Admin, name: string): Promise<string> {
  const isFirst = await accounts.needsAdministrator()
  const link = await accounts.issueLink({ role: isFirst ? 'admin' : 'editor' })
  const person = { name, email: `${name}@example.org`, password: 'correct horse battery' }
  const from = { address: '127.0.0.1', userAgent: 'test' }
  const { token } = await accounts.redeemLink(link, person, from)
  return `${sessionCookie}=${token}`
}

type Headers = Readonly<Record<string, string>>

/** An action of a component, on the page at `path`. */
export type ActionOfPage = {
  readonly path: string
  readonly component: string
  readonly method: string
  readonly params?: Json[]
}

/** Somebody at an admin, and what their browser asks it; without a cookie, nobody is signed in. */
export class Person {
  readonly origin: string
  readonly headers: Headers

  constructor(origin: string, cookie?: string) {
    this.origin = origin
    this.headers = cookie === undefined ? {} : { cookie }
  }

  /** The same person at another node. */
  at({ origin }: LiveAdmin): Person {
    return new Person(origin, this.headers['cookie'])
  }

  get(path: string, headers: Headers = {}): Promise<Response> {
    return fetch(this.origin + path, { headers: { ...this.headers, ...headers } })
  }

  post(path: string, body: string | URLSearchParams, headers: Headers = {}): Promise<Response> {
    return fetch(this.origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...this.headers, origin: this.origin, ...headers },
      body,
    })
  }

  async page(path: string): Promise<PageData> {
    const answer = await this.get(path, { 'x-tablewire-navigate': '1' })
    return (await answer.json()) as PageData
  }

  /** As their own socket asks, though for any. */
  askToJoin(socketId: string, channel: string, headers?: Headers): Promise<Response> {
    const form = new URLSearchParams({ socket_id: socketId, channel_name: channel })
    return this.post('/broadcasting/auth', form, headers)
  }

  /** Asks for a signature that says whose a socket is. */
  askToSignIn(socketId: string): Promise<Response> {
    return this.post('/broadcasting/user-auth', new URLSearchParams({ socket_id: socketId }))
  }

  /** Updates a component of a page; without a call, that is a refresh. */
  async update(
    { csrf, components }: PageData,
    component: string,
    calls: readonly Call[] = [],
    headers: Headers = {},
  ): Promise<Effects> {
    const { snapshot } = components.find(({ name }) => name === component)!
    const body = { _token: csrf, components: [{ snapshot, updates: {}, calls }] }
    const answer = await this.post('/tablewire/update', JSON.stringify(body), {
      ...{ 'content-type': 'application/json', 'x-tablewire': '1' },
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as UpdateResponse).components[0]!.effects
  }

  /** Calls an action, in a request that carries the id of a socket if one is given. */
  async call(action: ActionOfPage, socketId?: string): Promise<Json | undefined> {
    const { path, component, method, params = [] } = action
    const headers = socketId === undefined ? {} : { 'x-socket-id': socketId }
    const page = await this.page(path)
    const { returns } = await this.update(page, component, [{ method, params }], headers)
    return returns?.[0]
  }

  /** Opens a socket: by default of their list of orders, from the admin's own origin. */
  async connect({ page, origin }: { page?: PageData; origin?: string } = {}): Promise<LiveSocket> {
    const { key, path, host } = (page ?? (await this.page('/tables/orders'))).realtime!
    const address = `${(host ?? this.origin).replace('http', 'ws')}${path}/app/${key}?protocol=7`
    return openSocket(this, address, origin ?? this.origin)
  }
}

type Message = { readonly event: string; readonly channel?: string; readonly data: unknown }

export type LiveSocket = Awaited<ReturnType<typeof openSocket>>

async function openSocket(person: Person, address: string, origin: string) {
  const socket = new WebSocket(address, { headers: { ...person.headers, origin } })
  /** All that it has heard, as it came. */
  const texts: string[] = []
  socket.on('message', (data: Buffer) => void texts.push(data.toString()))
  await once(socket, 'open')
  const named = (event: string, channel?: string) =>
    texts.map(read).filter((one) => one.event === event && (!channel || one.channel === channel))
  const wait = (event: string, channel?: string) =>
    vi.waitFor(() => {
      const [first] = named(event, channel)
      expect(first, `${event} on ${channel}`).toBeDefined()
      return first!
    }, 5000)
  const established = await wait('pusher:connection_established')
  const { socket_id: id } = established.data as { socket_id: string }
  const say = (event: string, data: object) => socket.send(JSON.stringify({ event, data }))

  /** Asks for a signature with which it may join a channel. */
  const askToJoin = (channel: string) => person.askToJoin(id, channel)

  /** Joins a channel, and returns what the server has signed. */
  async function subscribe(channel: string): Promise<string> {
    const answer = await askToJoin(channel)
    expect(answer.status).toBe(200)
    const signed = await answer.text()
    say('pusher:subscribe', { channel, ...JSON.parse(signed) })
    await wait('pusher_internal:subscription_succeeded', channel)
    return signed
  }
  return { socket, id, texts, named, wait, say, askToJoin, subscribe }
}

function read(text: string): Message {
  const message = JSON.parse(text) as Message
  const { data } = message
  return { ...message, data: typeof data === 'string' ? JSON.parse(data) : data }
}
