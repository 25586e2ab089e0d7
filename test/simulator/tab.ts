/** A tab of the simulator: its documents, each with a runtime, and the person in front of it. */

import { CallError } from '../../src/client/call-error.ts'
import { createRuntime } from '../../src/client/create-runtime.ts'
import type { Environment } from '../../src/client/environment.ts'
import { startPoll } from '../../src/client/poll.ts'
import type { Runtime } from '../../src/client/runtime.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { PageData } from '../../src/protocol/page.ts'
import { HEADERS } from '../../src/protocol/wire.ts'
import { pageOf, simulateBrowser } from '../simulated-browser.ts'
import type { Chance } from './chance.ts'
import type { Clock } from './clock.ts'
import type { Field } from './components.ts'
import { type Asked, type Code, Explanations, type Method } from './explanations.ts'
import type { Network } from './network.ts'
import type { Answered, Server } from './server.ts'

/** One thing that a person does. */
export type Step =
  | { readonly kind: 'type'; readonly field: Field; readonly text: string; readonly live: boolean }
  | { readonly kind: 'call'; readonly method: Method; readonly id: string }
  | { readonly kind: 'hold' | 'let go'; readonly field: Field }
  | { readonly kind: 'refresh' | 'retry' }

/** Parts of the client that a test may replace by broken ones. */
export type ClientParts = {
  /** Wraps the environment of each document. */
  breakEnvironment(environment: Environment): Environment
}

export type TabOptions = {
  readonly name: string
  readonly clock: Clock
  readonly chance: Chance
  readonly network: Network
  readonly server: Server
  readonly polls: boolean
  /** Tells of something that must not happen. */
  readonly violated: (what: string) => void
  readonly parts: Partial<ClientParts>
}

/** A document that is loaded: what belongs to it ends with it. */
type Document = {
  isOver: boolean
  readonly timers: Set<() => void>
  runtime: Runtime | null
  stopPoll: () => void
}

const COMPONENT: { readonly [Name in Method]: 'desk' | 'tally' } = {
  mark: 'desk',
  add: 'desk',
  bump: 'tally',
  find: 'desk',
}

/** A quantity that the server refuses. */
export const REFUSED = 'many'

/** How often a page that was not reached is loaded again, ms. */
const RELOAD_MS = 1000

export class Tab {
  isOnline = true
  readonly explanations = new Explanations()
  /** What each field shows, as the person left it. */
  readonly typed = new Map<Field, string>()
  readonly #options: TabOptions
  readonly #searches = ['']
  #shownSearch = 0
  /** Called when the person has signed in again, and when they are told that a quantity is refused. */
  #signedIn = () => {}
  #toldQuantity = () => {}
  /** What was shown when the quantity was typed. */
  #errorsBefore: object = {}
  #polls: boolean
  #session: string
  #keys = 0
  #href = '/desk'
  #entry: string | null = null
  #saved: string | null = null
  #csrf = ''
  #document: Document = noDocument()

  constructor(options: TabOptions) {
    this.#options = options
    this.#polls = options.polls
    this.#session = options.server.signIn('ana')
    this.#load(this.#href)
  }

  get runtime(): Runtime | null {
    return this.#document.runtime
  }

  /** The session ends; everything is refused until the person has signed in again. */
  expire(): void {
    this.#options.server.expire(this.#session)
    this.#signedIn()
    this.#signedIn = this.explanations.begin(['PAGE_EXPIRED'])
  }

  stopPolling(): void {
    this.#polls = false
    this.#document.stopPoll()
  }

  perform(step: Step): void {
    const { runtime } = this
    // While a page is loaded or the person signs in, there is nothing to work with.
    if (!runtime) return
    const desk = runtime.component('desk')
    if (step.kind === 'type') {
      this.typed.set(step.field, step.text)
      if (step.field === 'quantity') this.#refuseQuantity()
      if (step.field === 'search') this.#searches.push(step.text)
      desk.set(step.field, step.text, { live: step.live })
    } else if (step.kind === 'call') this.#call(runtime, step.method, step.id)
    else if (step.kind === 'hold') desk.hold(step.field, this.typed.get(step.field) ?? '')
    else if (step.kind === 'let go') desk.letGo(step.field)
    else if (step.kind === 'refresh') void desk.refresh()
    else runtime.failures.retry()
    this.#look()
  }

  #call(runtime: Runtime, method: Method, id: string): void {
    const isExpired = runtime.failures.getState()?.kind === 'expired'
    const asked = this.explanations.ask(id, method, isExpired)
    runtime
      .component(COMPONENT[method])
      .call(method, id)
      .then(
        (value) => this.#resolved(asked, value),
        (error: unknown) => this.#refused(asked, error),
      )
  }

  #resolved(asked: Asked, value: Json): void {
    asked.outcome = 'done'
    if (value !== asked.id)
      this.#options.violated(`[${asked.id}] returned ${JSON.stringify(value)}`)
  }

  #refused(asked: Asked, error: unknown): void {
    const code = error instanceof CallError ? error.code : String(error)
    asked.outcome = code === 'LEFT_PAGE' ? 'left' : 'refused'
    if (asked.outcome === 'left') return
    // The set tells of any text whether it is one of its codes.
    if (!asked.explained.has(code as Code))
      this.#options.violated(`[${asked.id}] was refused with [${code}]`)
  }

  /** Calls that travel with a refused quantity do not run, until the person is told of it. */
  #refuseQuantity(): void {
    this.#toldQuantity()
    this.#toldQuantity = () => {}
    this.#errorsBefore = this.runtime?.component('desk').getState().errors ?? {}
    if (this.typed.get('quantity') === REFUSED)
      this.#toldQuantity = this.explanations.begin(['UPDATE_INVALID'])
  }

  /** The field shows what was typed, and the results are never those of an older search. */
  #look(): void {
    const { runtime } = this
    if (!runtime) return
    const { data, view } = runtime.component('desk').getState()
    for (const [field, text] of this.typed)
      if (data[field] !== text)
        this.#options.violated(
          `[${field}] shows [${JSON.stringify(data[field])}], typed was [${text}]`,
        )
    const shown = this.#searches.lastIndexOf(String(Object(view).search))
    if (shown < this.#shownSearch)
      this.#options.violated(
        `The results are those of [${this.#searches[shown]}] after [${this.#searches[this.#shownSearch]}]`,
      )
    this.#shownSearch = Math.max(shown, this.#shownSearch)
  }

  /** Loads a document; the one before ends at once. */
  #load(href: string): void {
    this.#end()
    this.#href = href
    const document = noDocument()
    this.#document = document
    const environment = this.#environment(document)
    const open = async () => {
      const answer = await this.#send(href, {}).catch(() => null)
      if (document.isOver) return
      if (answer?.status === 200) this.#open(document, environment, parsePage(answer))
      else if (answer?.status === 401) this.#signIn(document, environment)
      else environment.later(() => void open(), RELOAD_MS)
    }
    void open()
  }

  #open(document: Document, environment: Environment, page: PageData): void {
    this.#csrf = page.csrf
    // What was refused before is sent again from another document.
    this.#refuseQuantity()
    const runtime = createRuntime(page, environment)
    document.runtime = runtime
    // It says so at the failure, and a person reacts after a while.
    runtime.failures.subscribe(() => this.#react(document, environment, runtime))
    runtime.component('desk').subscribe(() => this.#look())
    for (const component of [runtime.component('desk'), runtime.component('tally')])
      component.subscribe(() => {
        const { errors } = component.getState()
        if (Object.keys(errors).length > 0) this.explanations.told()
        if (errors['quantity'] && errors !== this.#errorsBefore) this.#toldQuantity()
      })
    runtime.component('tally').subscribe(() => this.#lookForEchoes(runtime))
    if (this.#polls) document.stopPoll = startPoll(runtime.component('desk'), environment)
    this.#look()
  }

  #lookForEchoes(runtime: Runtime): void {
    const { data } = runtime.component('tally').getState()
    const heard = Array.isArray(data['heard']) ? data['heard'] : []
    if (new Set(heard).size < heard.length)
      this.#options.violated(`An event was heard twice: ${JSON.stringify(heard)}`)
  }

  /** The sign-in page has no components. */
  #signIn(document: Document, environment: Environment): void {
    createRuntime(pageOf([], { url: '/sign-in' }), environment)
    const submit = () => {
      this.#session = this.#options.server.signIn('ana')
      this.#signedIn()
      this.#load(this.#href)
    }
    if (!document.isOver) environment.later(submit, 500)
  }

  #react(document: Document, environment: Environment, runtime: Runtime): void {
    const failure = runtime.failures.getState()
    if (failure?.kind !== 'expired' && failure?.kind !== 'server' && failure?.kind !== 'final')
      return
    this.explanations.told()
    const code = failure.kind === 'expired' ? 'PAGE_EXPIRED' : failure.code
    if (!this.explanations.explainsFailure(code))
      this.#options.violated(`The page shows [${JSON.stringify(failure)}]`)
    const triesAgain = this.#options.chance.happens(0.7)
    environment.later(
      () => {
        if (document.isOver || runtime.failures.getState() !== failure) return
        if (failure.kind === 'expired') return runtime.reload()
        runtime.failures.dismiss()
        if (triesAgain) failure.again?.()
      },
      this.#options.chance.between(200, 1500),
    )
  }

  #end(): void {
    this.#document.isOver = true
    for (const cancel of this.#document.timers) cancel()
    this.explanations.left()
  }

  async #send(href: string, init: RequestInit): Promise<Answered> {
    const { network } = this.#options
    const { signal = null, body = null } = init
    const gone = new AbortController()
    signal?.addEventListener('abort', () => gone.abort())
    const request = {
      href,
      session: this.#session,
      key: new Headers(init.headers).get(HEADERS.idempotencyKey) ?? undefined,
      // The client's bodies are texts.
      body: body as string | null,
      signal: gone.signal,
    }
    const answer = network
      .send(request, () => this.isOnline)
      .then((answer) => {
        if (answer.status === 502) this.explanations.badGateway()
        if (answer.text.includes('"outdated":true')) this.explanations.outdated()
        return answer
      })
    if (!signal) return answer
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return Promise.race([answer, aborted])
  }

  #environment(document: Document): Environment {
    const { clock, chance, name, parts } = this.#options
    const nothing = () => () => undefined
    const loaded = this.#href
    const environment: Environment = {
      ...simulateBrowser().environment,
      fetch: async (href, init = {}) => {
        // The client's addresses are texts.
        const sent = await this.#send(href as string, init).then(responseOf, (error: unknown) => {
          if (!document.isOver) throw error
        })
        // Nobody is left to read the answer.
        return document.isOver || !sent ? new Promise<never>(() => undefined) : sent
      },
      later(task, delayMs) {
        if (document.isOver) return () => undefined
        const cancel = clock.later(() => {
          document.timers.delete(cancel)
          task()
        }, delayMs)
        document.timers.add(cancel)
        return () => {
          document.timers.delete(cancel)
          cancel()
        }
      },
      random: chance.next,
      newKey: () => `${name}-key-${this.#keys++}`,
      csrf: () => this.#csrf,
      setCsrf: (token) => void (this.#csrf = token),
      location: () => this.#href,
      loadedLocation: () => loaded,
      href: () => `https://tablewire.test${this.#href}`,
      hash: () => '',
      history: ({ href }, entry) => {
        this.#href = href
        this.#entry = entry
      },
      entry: () => (this.#entry === null ? null : { id: this.#entry, place: null }),
      setEntry: (id) => void (this.#entry = id),
      load: (href) => {
        if (!document.isOver) this.#load(href)
      },
      isLoading: () => document.isOver,
      onHistory: nothing,
      onLinks: nothing,
      onLeave: nothing,
      isOnline: () => this.isOnline,
      logError: (error) => this.#options.violated(String(error)),
      savedEdits: {
        put: (text) => void (this.#saved = text),
        take: () => {
          const text = this.#saved
          this.#saved = null
          return text
        },
      },
    }
    return parts.breakEnvironment?.(environment) ?? environment
  }
}

const noDocument = (): Document => ({
  isOver: false,
  timers: new Set(),
  runtime: null,
  stopPoll: () => undefined,
})

// The simulated server has written it.
const parsePage = ({ text }: Answered): PageData => JSON.parse(text) as PageData

/** As much of a response as the client reads; a whole one takes ten times as long. */
const responseOf = ({ status, type, text }: Answered): Response =>
  ({
    ok: status === 200,
    status,
    redirected: false,
    headers: new Headers({ 'content-type': type }),
    body: null,
    text: async () => text,
  }) as Partial<Response> as Response
