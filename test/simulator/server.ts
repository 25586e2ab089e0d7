/** The simulator's server: processes that run the real handling of updates over one database. */

import type { PageData } from '../../src/protocol/page.ts'
import { parseJson } from '../../src/protocol/json.ts'
import { AppError } from '../../src/server/app-error.ts'
import { refusalData } from '../../src/server/http/bare-refusal.ts'
import { checkCsrfToken, issueCsrfToken } from '../../src/server/http/csrf.ts'
import { DEFAULT_READER } from '../../src/server/http/locale.ts'
import { KeyRing } from '../../src/server/keys.ts'
import type { IdempotencyStore } from '../../src/server/lifecycle/idempotency.ts'
import { laterAnswers } from '../../src/server/lifecycle/later.ts'
import { memoryIdempotency } from '../../src/server/lifecycle/memory-idempotency.ts'
import { mountComponent } from '../../src/server/lifecycle/mount.ts'
import type { RequestScope } from '../../src/server/lifecycle/request-scope.ts'
import {
  answerOutdated,
  answerUpdate,
  parseIdempotencyKey,
  parseUpdate,
} from '../../src/server/update/update.ts'
import { pageOf } from '../simulated-browser.ts'
import type { Chance } from './chance.ts'
import type { Clock } from './clock.ts'
import { componentsOf, Database } from './components.ts'

/** A request as it arrives. Without a body, it asks for a page. */
export type Arrived = {
  readonly href: string
  readonly session: string
  readonly key: string | undefined
  readonly body: string | null
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
}

export type Answered = { readonly status: number; readonly type: string; readonly text: string }

/** Parts of the server that a test may replace by broken ones. */
export type ServerParts = {
  readonly writes: IdempotencyStore
  /** What a process does with the body of an update; `build` is its own. */
  read(body: string, build: string): string
}

const PATH = '/desk'

const buildOf = (count: number): string => `build-${count}`

/** The build that is there at first. */
export const FIRST_BUILD: string = buildOf(0)

export class Server {
  readonly database = new Database()
  readonly keys: KeyRing
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #parts: ServerParts
  /** The user of each session that has not ended. */
  readonly #sessions = new Map<string, string>()
  #process: Process | null
  /** During a rolling deploy, some requests still reach the old process. */
  #old: Process | null = null
  #counter = 0
  #build = 0
  #assets = 0

  constructor(clock: Clock, chance: Chance, parts: Partial<ServerParts> = {}) {
    this.#clock = clock
    this.#chance = chance
    this.#parts = { writes: memoryIdempotency(), read: (body) => body, ...parts }
    this.keys = new KeyRing([this.#secret()])
    this.#process = this.#start()
  }

  /** The process that the next request reaches; `null` while none runs. */
  route(): Process | null {
    return this.#old && this.#chance.happens(0.4) ? this.#old : this.#process
  }

  signIn(user: string): string {
    const session = `session-${this.#counter++}`
    this.#sessions.set(session, user)
    return session
  }

  expire(session: string): void {
    this.#sessions.delete(session)
  }

  rotate(): void {
    this.keys.rotate(this.#secret())
  }

  /** Starts a new build; what the old process was doing, it finishes. */
  deploy(withAssets: boolean, overlapMs: number): void {
    this.#build++
    if (withAssets) this.#assets++
    this.#old = overlapMs > 0 ? this.#process : null
    this.#process = this.#start()
    if (overlapMs > 0) this.#clock.later(() => (this.#old = null), overlapMs)
  }

  /** The process dies at once, and another one takes its place after a while. */
  restart(downMs: number): void {
    this.#process?.die()
    this.#old?.die()
    this.#process = this.#old = null
    this.#clock.later(() => (this.#process ??= this.#start()), downMs)
  }

  #start(): Process {
    const { database, keys } = this
    return new Process({
      clock: this.#clock,
      chance: this.#chance,
      parts: this.#parts,
      database,
      keys,
      sessions: this.#sessions,
      name: `process-${this.#counter++}`,
      build: buildOf(this.#build),
      version: `assets-${this.#assets}`,
    })
  }

  #secret = (): Uint8Array => Uint8Array.from({ length: 32 }, () => this.#chance.between(0, 255))
}

type ProcessOptions = {
  readonly clock: Clock
  readonly chance: Chance
  readonly parts: ServerParts
  readonly database: Database
  readonly keys: KeyRing
  readonly sessions: ReadonlyMap<string, string>
  readonly name: string
  readonly build: string
  /** Of the client's files. */
  readonly version: string
}

/** One process: it has what the database does not hold, and loses it when it dies. */
export class Process {
  readonly #options: ProcessOptions
  readonly #shared: Omit<RequestScope, 'binding' | 'actor' | 'signal'>
  readonly #death = Promise.withResolvers<never>()
  #isDead = false

  constructor(options: ProcessOptions) {
    this.#options = options
    const { database, keys, parts } = options
    this.#death.promise.catch(() => undefined)
    this.#shared = {
      keys,
      components: componentsOf({ database, wait: (signal) => this.#wait(signal) }),
      writes: this.#slowly(parts.writes),
      running: new Map(),
      later: laterAnswers({ later: this.#later }),
      ...DEFAULT_READER,
      report: (error) => {
        throw error
      },
    }
  }

  die(): void {
    this.#isDead = true
    this.#death.reject(new TypeError('The connection was reset.'))
  }

  /** Rejects if the process dies before it has answered. */
  answer(request: Arrived): Promise<Answered> {
    return Promise.race([this.#answer(request), this.#death.promise])
  }

  async #answer(request: Arrived): Promise<Answered> {
    try {
      const text = await (request.body === null
        ? this.#page(request)
        : this.#update(request, request.body))
      return { status: 200, type: 'application/json; charset=utf-8', text }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const text = JSON.stringify(refusalData(error, DEFAULT_READER, ''))
      return { status: error.status, type: 'application/json; charset=utf-8', text }
    }
  }

  /** As the route of updates does, but for headers and limits. */
  async #update(request: Arrived, body: string): Promise<string> {
    const { keys, version: assets, parts, build } = this.#options
    const update = parseUpdate(parseJson(parts.read(body, build)))
    const scope = this.#scope(request)
    if (!scope) throw new AppError('PAGE_EXPIRED')
    const verdict = checkCsrfToken(keys, request.session, update._token)
    if (verdict === 'forged') throw new AppError('PAGE_EXPIRED')
    const answer = verdict === 'valid' ? answerUpdate : answerOutdated
    return answer(scope, update, parseIdempotencyKey(request.key), { version: assets })
  }

  async #page(request: Arrived): Promise<string> {
    const { keys, version } = this.#options
    const scope = this.#scope(request)
    if (!scope) throw new AppError('SIGN_IN_REQUIRED')
    const { searchParams: query } = new URL(request.href, 'https://tablewire.test')
    const components = []
    for (const component of scope.components.values())
      components.push(
        await mountComponent(scope, { component, params: null }, { path: PATH, query }),
      )
    const csrf = issueCsrfToken(keys, request.session)
    const page = pageOf(components, { url: request.href, version, csrf })
    return JSON.stringify({ ...page, shell: 'tally' } satisfies PageData)
  }

  #scope({ session, signal }: Arrived): RequestScope | null {
    const { build, name, sessions } = this.#options
    const user = sessions.get(session)
    if (user === undefined) return null
    return {
      ...this.#shared,
      binding: { build, process: name, user, lineage: session },
      actor: { id: user, name: user, email: `${user}@example.org`, role: 'editor' },
      signal,
    }
  }

  #later = (task: () => void, delayMs: number): (() => void) =>
    this.#options.clock.later(() => this.#isDead || task(), delayMs)

  /** What waits while the process dies waits for ever. */
  #wait(signal?: AbortSignal): Promise<void> {
    const { chance } = this.#options
    // One in ten takes so long that its batch is answered without it.
    const delayMs = chance.happens(0.1) ? chance.between(100, 800) : chance.between(0, 20)
    return new Promise((resolve, reject) => {
      const cancel = this.#later(resolve, delayMs)
      signal?.addEventListener('abort', () => {
        cancel()
        reject(signal.reason)
      })
    })
  }

  /** The store of idempotency records, over the same network as the rows. */
  #slowly(writes: IdempotencyStore): IdempotencyStore {
    return {
      claim: async (...request) => {
        await this.#wait()
        return writes.claim(...request)
      },
      settle: async (...answer) => {
        await this.#wait()
        await writes.settle(...answer)
      },
      release: async (...key) => {
        await this.#wait()
        await writes.release(...key)
      },
    }
  }
}
