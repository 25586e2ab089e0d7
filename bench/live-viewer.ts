/** One viewer of a live list, without a browser: its page, its socket, and its refreshes. */

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { retryDelay } from '../src/client/backoff.ts'
import type { PageData } from '../src/protocol/page.ts'
import { HEADERS, NAVIGATE, TAKES_PATCHES, type UpdateResponse } from '../src/protocol/wire.ts'

/** What an answer other than 200 was, and how often: while the server is away, only 503 is expected. */
export type Refusals = Map<number, number>

export class Viewer {
  readonly #origin: string
  readonly #path: string
  readonly #headers: Record<string, string>
  readonly #refusals: Refusals
  #page: PageData | null = null
  #snapshot = ''
  #socket: WebSocket | null = null
  /** Called with what was last received of a refreshed view. */
  seen: (text: string) => void = () => undefined

  constructor(origin: string, path: string, person: string, refusals: Refusals) {
    this.#origin = origin
    this.#path = path
    this.#headers = { 'x-person': person, origin }
    this.#refusals = refusals
  }

  async open(): Promise<void> {
    const headers = {
      ...this.#headers,
      accept: 'application/json',
      [HEADERS.navigate]: NAVIGATE.visit,
    }
    const answer = await fetch(this.#origin + this.#path, { headers })
    // The server of this benchmark wrote it.
    this.#page = (await answer.json()) as PageData
    this.#snapshot = this.#list.snapshot
  }

  get #list() {
    return this.#page!.components.find(({ name }) => name === 'list')!
  }

  /** Connects, and joins the list's channel; tries again, as the client does, until that succeeds. */
  async join(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      if (await this.#tryToJoin()) return
      await new Promise((resolve) => setTimeout(resolve, retryDelay(attempt, null, Math.random())))
    }
  }

  async #tryToJoin(): Promise<boolean> {
    const { key } = this.#page!.realtime!
    const address = `${this.#origin.replace('http', 'ws')}/app/${key}?protocol=7`
    const socket = new WebSocket(address, { headers: this.#headers, perMessageDeflate: false })
    const gone = new Promise<null>((resolve) => {
      socket.once('close', () => resolve(null))
      socket.once('error', () => resolve(null))
      socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
        this.#refuse(statusCode)
        resolve(null)
      })
    })
    const greeting = await Promise.race([gone, once(socket, 'message')])
    if (!greeting) return false
    const socketId = /\\"socket_id\\":\\"([\d.]+)/.exec(String(greeting[0]))?.[1] ?? ''
    const [channel = ''] = this.#list.channels ?? []
    const auth = await this.#authorize(socketId, channel)
    if (auth === null) return false
    socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth } }))
    const joined = await Promise.race([gone, once(socket, 'message')])
    if (!String(joined?.[0]).includes('subscription_succeeded')) return false
    socket.on('message', (data: Buffer) => {
      if (data.includes('"changed"')) void this.#refresh()
    })
    this.#socket = socket
    return true
  }

  async #authorize(socketId: string, channel: string): Promise<string | null> {
    const body = new URLSearchParams({ socket_id: socketId, channel_name: channel })
    const answer = await fetch(`${this.#origin}/broadcasting/auth`, {
      method: 'POST',
      headers: this.#headers,
      body,
    }).catch(() => null)
    if (!answer) return null
    if (answer.ok) return ((await answer.json()) as { auth: string }).auth
    this.#refuse(answer.status)
    return null
  }

  #refuse(status: number): void {
    this.#refusals.set(status, (this.#refusals.get(status) ?? 0) + 1)
  }

  async #refresh(): Promise<void> {
    const components = [{ snapshot: this.#snapshot, updates: {}, calls: [] }]
    const answer = await fetch(`${this.#origin}/tablewire/update`, {
      method: 'POST',
      headers: {
        ...this.#headers,
        'content-type': 'application/json',
        [HEADERS.marker]: TAKES_PATCHES,
        [HEADERS.idempotencyKey]: crypto.randomUUID(),
      },
      body: JSON.stringify({ _token: this.#page!.csrf, components }),
    })
    const text = await answer.text()
    if (!answer.ok) return this.#refuse(answer.status)
    this.#snapshot = (JSON.parse(text) as UpdateResponse).components[0]!.snapshot
    this.seen(text)
  }

  /** Writes through the admin: the page's own list is asked for it. */
  async call(method: string, params: unknown[]): Promise<void> {
    const components = [{ snapshot: this.#snapshot, updates: {}, calls: [{ method, params }] }]
    const answer = await fetch(`${this.#origin}/tablewire/update`, {
      method: 'POST',
      headers: {
        ...this.#headers,
        'content-type': 'application/json',
        [HEADERS.marker]: '1',
        [HEADERS.idempotencyKey]: crypto.randomUUID(),
      },
      body: JSON.stringify({ _token: this.#page!.csrf, components }),
    })
    const body = (await answer.json()) as UpdateResponse
    const [component] = body.components
    if (!answer.ok || component?.effects.errors) throw new Error(JSON.stringify(body))
    this.#snapshot = component!.snapshot
  }

  /** Whether it is connected, to the server's knowledge. */
  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Resolves once the connection is lost. */
  async lost(): Promise<void> {
    if (this.isOpen) await once(this.#socket!, 'close')
  }

  close(): void {
    this.#socket?.terminate()
  }
}
