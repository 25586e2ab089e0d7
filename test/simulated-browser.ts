/** A browser for tests: its clock, its chance and its network do what the test says. */

import type { Environment } from '../src/client/environment.ts'
import type { JsonObject } from '../src/protocol/json.ts'
import type { PageComponent, PageData } from '../src/protocol/page.ts'
import type { Effects, UpdateRequest, UpdateResponse } from '../src/protocol/wire.ts'

/** A request that left the browser and waits for what the test lets happen to it. */
export type SentRequest = {
  readonly url: string
  readonly init: RequestInit
  readonly headers: Headers
  /** The body of an update, parsed. */
  readonly body: UpdateRequest
  answer(body: unknown, init?: ResponseInit): Promise<void>
  /** The network fails, before or after the request has arrived. */
  fail(): Promise<void>
}

type Timer = { at: number; task: () => void }

export function simulateBrowser({ location = '/tables/a' } = {}) {
  const requests: SentRequest[] = []
  const done: { what: string; with: unknown }[] = []
  let timers: Timer[] = []
  let now = 0
  let keys = 0
  let saved: string | null = null
  let token: string | null = 'token-1'
  let onHistory = () => {}
  const note = (what: string) => (value: unknown) => void done.push({ what, with: value })

  const environment: Environment = {
    fetch: (url, init = {}) =>
      new Promise((resolve, reject) => {
        requests.push({
          url: url as string,
          init,
          headers: new Headers(init.headers),
          body: JSON.parse((init.body ?? 'null') as string) as UpdateRequest,
          answer(body, options) {
            const text = typeof body === 'string' ? body : JSON.stringify(body)
            resolve(new Response(text, options))
            return settle()
          },
          fail() {
            reject(new TypeError('Failed to fetch'))
            return settle()
          },
        })
      }),
    later(task, delayMs) {
      const timer = { at: now + delayMs, task }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
    random: () => 0.5,
    newKey: () => `key-${++keys}-of-a-batch`,
    csrf: () => token,
    setCsrf: (next) => void (token = next),
    setTitle: note('title'),
    location: () => location,
    history(effect) {
      location = effect.href
      note('history')(effect)
    },
    load: note('load'),
    dispatch: (name, detail) => note('dispatch')({ name, detail }),
    download: (href, name) => note('download')({ href, name }),
    onHistory(task) {
      onHistory = task
      return () => void (onHistory = () => {})
    },
    savedEdits: {
      put: (text) => void (saved = text),
      take() {
        const text = saved
        saved = null
        return text
      },
    },
  }

  return {
    environment,
    requests,
    /** What the runtime made the browser do, in order. */
    done,
    get last(): SentRequest {
      const request = requests.at(-1)
      if (!request) throw new Error('Nothing was sent.')
      return request
    },
    get timers(): number {
      return timers.length
    },
    setToken: (next: string | null) => void (token = next),
    /** Lets time pass; whatever is due runs, in order. */
    async pass(ms: number): Promise<void> {
      const end = now + ms
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.task()
        await settle()
      }
      now = end
      await settle()
    },
    /** The person goes back or forward. */
    async back(href: string): Promise<void> {
      location = href
      onHistory()
      await settle()
    },
  }
}

/** Lets everything go on that waits for nothing but its turn. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A snapshot as the browser sees one; `serial` tells one from the next. */
export const snapshotOf = (
  data: JsonObject,
  { name = 'list', path = '/tables/a', serial = 0 } = {},
): string =>
  JSON.stringify({
    data,
    memo: { id: name, name, path, build: 'b', user: 'u', lineage: 'l', view: '' },
    checksum: String(serial),
  })

export const componentOf = (
  data: JsonObject,
  { name = 'list', path = '/tables/a', serial = 0 } = {},
): PageComponent => ({
  id: name,
  name,
  snapshot: snapshotOf(data, { name, path, serial }),
  view: { drawn: serial },
})

export const pageOf = (
  components: PageComponent[],
  { url = '/tables/a', version = 'v1', csrf = 'token-2' } = {},
): PageData => ({
  title: `Page ${url}`,
  url,
  language: 'en',
  locale: 'en-US',
  direction: 'ltr',
  csrf,
  updateUrl: '/tablewire/update',
  assets: { version },
  preferences: { theme: 'system', density: 'comfortable', railCollapsed: false },
  shell: null,
  breadcrumbs: [],
  content: { page: 'no-tables', data: null, components: {} },
  components,
})

/** An answer to an update, one entry for each component of the request. */
export const answerOf = (
  ...components: { snapshot: string; effects?: Effects }[]
): UpdateResponse => ({
  components: components.map(({ snapshot, effects = {} }) => ({ snapshot, effects })),
  assets: { version: 'v1' },
})

export const outdated = { snapshot: '', effects: { outdated: true } } as const

/** A refusal in the words of the catalogue. */
export const refusalOf = (code: string, message = code) => ({ error: { code, message } })
