/** Runs several clients against the real server, all chosen by one seed, and tells what went wrong. */

import { type Chance, chanceOf } from './chance.ts'
import { type Clock, createClock } from './clock.ts'
import { type Field, FIELDS, found } from './components.ts'
import { CALM, Network, type Weather } from './network.ts'
import { Server, type ServerParts } from './server.ts'
import { type Asked, type Method, OUTCOME_UNKNOWN } from './explanations.ts'
import { type ClientParts, REFUSED, type Step, Tab } from './tab.ts'

/** Pieces to be replaced by broken ones, to see that the simulator finds them. */
export type Sabotage = {
  readonly client?: Partial<ClientParts>
  readonly server?: Partial<ServerParts>
  /** What may happen, apart from what people do. Default: everything. */
  readonly happenings?: readonly Happening[]
}

/** What may happen to server and tabs, apart from what people do. */
export type Happening = (typeof HAPPENINGS)[number]
const HAPPENINGS = ['offline', 'deploy', 'rollingDeploy', 'rotation', 'restart', 'expiry'] as const

/** All pages are loaded before anything happens, ms. */
const CALM_MS = 2000
/** When the network heals and people stop, ms. */
const HEALED_MS = 17_000
/** How long polls go on after that, ms. */
const POLLED_MS = 5000
/** By when everything that failed before was tried again, ms: pauses between retries are up to 30 s. */
const RETRIED_MS = 120_000
/** By when everything has settled at last, ms. */
const SETTLED_MS = 600_000

/** What went wrong with this seed; nothing, if all is well. */
export async function simulate(seed: number, sabotage: Sabotage = {}): Promise<string[]> {
  const chance = chanceOf(seed)
  const clock = createClock()
  const violations = new Set<string>()
  const violated = (what: string) => void violations.add(what)
  const server = new Server(clock, chance, sabotage.server)
  const network = new Network(clock, chance, server, CALM)
  const tabs = Array.from({ length: chance.between(1, 3) }, (_, at) => {
    const polls = chance.happens(0.3)
    const name = `tab-${at}`
    const parts = sabotage.client ?? {}
    return new Tab({ name, clock, chance, network, server, polls, violated, parts })
  })
  await clock.runUntil(CALM_MS)
  network.weather = weatherOf(chance)
  for (const happening of happeningsOf(
    { chance, clock, server, network, tabs },
    sabotage.happenings,
  ))
    clock.later(happening, chance.between(0, HEALED_MS - CALM_MS - 1))
  for (const [at, tab] of tabs.entries()) {
    let moment = 0
    for (const step of stepsOf(chance, `${at}`, chance.between(3, 15))) {
      moment += pauseOf(chance)
      clock.later(() => tab.perform(step), moment)
    }
  }
  try {
    await clock.runUntil(HEALED_MS)
    network.weather = CALM
    for (const tab of tabs) tab.isOnline = true
    await clock.runUntil(HEALED_MS + POLLED_MS)
    for (const tab of tabs) tab.stopPolling()
    await clock.runUntil(HEALED_MS + RETRIED_MS)
    // Whatever waits for the next request leaves with it; a page that was just loaded has edits, too.
    for (const id of ['last', 'after'])
      for (const [at, tab] of tabs.entries()) {
        tab.perform({ kind: 'call', method: 'mark', id: `${id}-${at}` })
        await clock.runOut(SETTLED_MS)
      }
    for (const tab of tabs) {
      tab.perform({ kind: 'refresh' })
      void tab.runtime?.component('tally').refresh()
    }
    await clock.runOut(SETTLED_MS)
    for (const tab of tabs) judge(tab, server.database.rows, violated)
  } catch (error) {
    violated(String(error))
  }
  return [...violations]
}

/**
 * Makes the same edits and calls in batches of three kinds: all in one, each alone, and as chance
 * decides. Tells where they do not end alike.
 */
export async function simulateSplits(seed: number, sabotage: Sabotage = {}): Promise<string[]> {
  const chance = chanceOf(seed)
  const steps = stepsOf(chance, '0', chance.between(2, 8)).filter(isSplit)
  const pauses = [() => 0, () => LONG_PAUSE_MS, () => chance.pick([0, 0, 5, 100, LONG_PAUSE_MS])]
  const ends = new Set<string>()
  for (const pause of pauses) ends.add(await endOf(chance, steps, pause, sabotage))
  return ends.size > 1 ? [`Batches end in different states: ${[...ends].join(' ')}`] : []
}

/** Longer than any request on a calm network, ms. */
const LONG_PAUSE_MS = 3000

/** Edits and calls of one component; a search decides which rows it shows. */
const isSplit = (step: Step): boolean =>
  (step.kind === 'type' && step.text !== REFUSED) ||
  (step.kind === 'call' && (step.method === 'mark' || step.method === 'add'))

/** What one person has in the end who makes these steps with such pauses, and nothing goes wrong. */
async function endOf(
  chance: Chance,
  steps: readonly Step[],
  pause: () => number,
  { client: parts = {}, server: serverParts }: Sabotage,
): Promise<string> {
  const clock = createClock()
  const server = new Server(clock, chance, serverParts)
  const network = new Network(clock, chance, server, CALM)
  const wrong: string[] = []
  const violated = (what: string) => void wrong.push(what)
  const own = { name: 'tab', polls: false, violated, parts }
  const tab = new Tab({ ...own, clock, chance, network, server })
  await clock.runUntil(CALM_MS)
  for (const step of [...steps, { kind: 'call', method: 'mark', id: 'last' } as const]) {
    tab.perform(step)
    const length = pause()
    if (length > 0) await clock.runUntil(clock.now() + length)
  }
  await clock.runOut(SETTLED_MS)
  const outcomes = tab.explanations.asked.map(({ outcome }) => outcome)
  const state = tab.runtime?.component('desk').getState()
  return JSON.stringify([state?.data, state?.view, outcomes, server.database.rows, wrong])
}

/** A third of all networks are good; the others are bad in their own way. */
const weatherOf = (chance: Chance): Weather => ({
  faults: chance.happens(0.33) ? 0 : chance.next() * 0.4,
  delayMs: chance.pick([20, 200, 1500]),
})

type World = {
  readonly chance: Chance
  readonly clock: Clock
  readonly server: Server
  readonly network: Network
  readonly tabs: readonly Tab[]
}

/** What happens to server and tabs, with the refusals that it explains. */
function happeningsOf(
  { chance, clock, server, network, tabs }: World,
  allowed: readonly Happening[] = HAPPENINGS,
): (() => void)[] {
  const names = allowed.flatMap((name) =>
    Array.from({ length: chance.happens(0.3) ? chance.between(1, 2) : 0 }, () => name),
  )
  // There is at least one.
  const someTab = () => tabs[chance.between(0, tabs.length - 1)]!
  /** Whether a client may send a request again while the first process still works on it. */
  const repeats = network.weather.faults > 0 || names.includes('offline')
  const afterRetries = repeats ? OUTCOME_UNKNOWN : []
  const kinds: { readonly [Name in Happening]: () => void } = {
    offline() {
      const tab = someTab()
      tab.isOnline = !tab.isOnline
    },
    deploy() {
      for (const { explanations } of tabs) explanations.happened(afterRetries)
      server.deploy(chance.happens(0.5), 0)
    },
    rollingDeploy() {
      const overlapMs = chance.between(100, 3000)
      for (const { explanations } of tabs) clock.later(explanations.begin(afterRetries), overlapMs)
      server.deploy(chance.happens(0.5), overlapMs)
    },
    rotation() {
      server.rotate()
      if (chance.happens(0.7)) server.keys.retire()
    },
    restart() {
      for (const { explanations } of tabs) explanations.happened(OUTCOME_UNKNOWN)
      server.restart(chance.between(50, 1500))
    },
    expiry: () => someTab().expire(),
  }
  return names.map((name) => kinds[name])
}

/** Most steps follow one another within one batch or after a few. */
const pauseOf = (chance: Chance): number =>
  chance.pick([
    () => 0,
    () => chance.between(0, 20),
    () => chance.between(0, 300),
    () => chance.between(0, 2500),
  ])()

/** What a person does, with texts and names that nobody else uses. */
function stepsOf(chance: Chance, own: string, count: number): Step[] {
  return Array.from({ length: count }, (_, at): Step => {
    const id = `${own}-${at}`
    const kind = chance.next()
    if (kind < 0.4) return typing(chance, id, at)
    if (kind < 0.85) {
      const method = chance.pick<Method>(['mark', 'mark', 'add', 'add', 'bump', 'find'])
      return { kind: 'call', method, id }
    }
    if (kind < 0.93) return { kind: chance.pick(['hold', 'let go']), field: chance.pick(FIELDS) }
    return { kind: chance.pick(['refresh', 'retry']) }
  })
}

function typing(chance: Chance, id: string, at: number): Step {
  const field: Field = chance.pick(FIELDS)
  const live = chance.happens(0.6)
  if (field !== 'quantity') return { kind: 'type', field, text: id, live }
  return { kind: 'type', field, text: chance.happens(0.3) ? REFUSED : String(at), live }
}

/** How everything must be once it has settled. */
function judge(tab: Tab, rows: readonly string[], violated: (what: string) => void): void {
  const { runtime, typed } = tab
  const { asked } = tab.explanations
  if (!runtime) return violated('No page is shown in the end.')
  for (const { id, outcome } of asked) if (outcome === 'waiting') violated(`[${id}] never settled.`)
  const [desk, tally] = [
    runtime.component('desk').getState(),
    runtime.component('tally').getState(),
  ]
  const isRefused = typed.get('quantity') === REFUSED
  const unconfirmed = desk.dirty.filter((path) => !(isRefused && path === 'quantity'))
  if (unconfirmed.length > 0) violated(`Not confirmed: ${unconfirmed.join(' ')}`)
  if (desk.pending || tally.pending) violated('A component still waits.')
  if (runtime.failures.getState()) violated('A failure is still shown.')
  const view = { search: typed.get('search') ?? '', rows: found(rows, typed.get('search') ?? '') }
  if (JSON.stringify(desk.view) !== JSON.stringify(view))
    violated(`The view is [${JSON.stringify(desk.view)}], the server has [${JSON.stringify(view)}]`)
  if (Object(tally.view).count !== rows.length) violated('The tally is another one.')
  const done = Array.isArray(desk.data['done']) ? desk.data['done'].map(String) : []
  for (const one of asked) judgeCall(one, { rows, done }, violated)
}

/** What a call may have counted in. */
type Counts = { readonly rows: readonly string[]; readonly done: readonly string[] }

/**
 * A call that was done counts once, and one that was refused at most once. One whose document was left
 * goes on in the next; where something explains that it is refused there, the page tells so.
 */
function judgeCall(
  { id, method, outcome, explained, wasTold }: Asked,
  { rows, done }: Counts,
  violated: (what: string) => void,
): void {
  const times = (ids: readonly string[]) => ids.filter((other) => other === id).length
  const counts: number[] = []
  if (method === 'add' || method === 'bump') counts.push(times(rows))
  if (method === 'add' || method === 'mark') counts.push(times(done))
  for (const count of counts) {
    if (count > 1) violated(`[${id}] (${method}) counts ${count} times.`)
    const mayBeLost = outcome === 'refused' || (explained.size > 0 && wasTold)
    if (count === 0 && (outcome === 'done' || !mayBeLost))
      violated(`[${id}] (${method}) is lost, ${outcome}.`)
  }
}
