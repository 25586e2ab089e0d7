/** Runs several clients against the real server, all chosen by one seed, and tells what went wrong. */

import { type Chance, chanceOf } from './chance.ts'
import { createClock } from './clock.ts'
import { type Field, FIELDS, found } from './components.ts'
import { CALM, Network, type Weather } from './network.ts'
import { Server, type ServerParts } from './server.ts'
import { type Asked, type ClientParts, type Method, type Step, Tab } from './tab.ts'

/** Pieces to be replaced by broken ones, to see that the simulator finds them. */
export type Sabotage = {
  readonly client?: Partial<ClientParts>
  readonly server?: Partial<ServerParts>
}

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
  /** Codes of refusals that what has happened explains. */
  const explained = new Set<string>()
  const server = new Server(clock, chance, sabotage.server)
  const network = new Network(clock, chance, server, CALM)
  const tabs = Array.from({ length: chance.between(1, 3) }, (_, at) => {
    const polls = chance.happens(0.3)
    const name = `tab-${at}`
    const parts = sabotage.client ?? {}
    return new Tab({ name, clock, chance, network, server, polls, violated, explained, parts })
  })
  await clock.runUntil(CALM_MS)
  network.weather = weatherOf(chance)
  if (network.weather.faults > 0) explained.add('SERVER_ERROR')
  for (const happening of happeningsOf(chance, server, tabs, explained))
    clock.later(happening, chance.between(0, HEALED_MS - CALM_MS - 1))
  for (const [at, tab] of tabs.entries()) {
    let moment = 0
    for (const step of stepsOf(chance, `${at}`, chance.between(3, 15), explained)) {
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
  const steps = stepsOf(chance, '0', chance.between(2, 8), new Set()).filter(isSplit)
  const pauses = [() => 0, () => LONG_PAUSE_MS, () => chance.pick([0, 0, 5, 100, LONG_PAUSE_MS])]
  const ends = new Set<string>()
  for (const pause of pauses) ends.add(await endOf(chance, steps, pause, sabotage))
  return ends.size > 1 ? [`Batches end in different states: ${[...ends].join(' ')}`] : []
}

/** Longer than any request on a calm network, ms. */
const LONG_PAUSE_MS = 3000

/** Edits and calls of one component; a search decides which rows it shows. */
const isSplit = (step: Step): boolean =>
  (step.kind === 'type' && step.text !== 'many') ||
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
  const own = { name: 'tab', polls: false, violated, explained: new Set<string>(), parts }
  const tab = new Tab({ ...own, clock, chance, network, server })
  await clock.runUntil(CALM_MS)
  for (const step of [...steps, { kind: 'call', method: 'mark', id: 'last' } as const]) {
    tab.perform(step)
    const length = pause()
    if (length > 0) await clock.runUntil(clock.now() + length)
  }
  await clock.runOut(SETTLED_MS)
  const outcomes = tab.asked.map(({ outcome }) => outcome)
  const state = tab.runtime?.component('desk').getState()
  return JSON.stringify([state?.data, state?.view, outcomes, server.database.rows, wrong])
}

/** How many changes of the server may come in a row before a client gives up. */
const GIVE_UP_AFTER = 4

/** A third of all networks are good; the others are bad in their own way. */
const weatherOf = (chance: Chance): Weather => ({
  faults: chance.happens(0.33) ? 0 : chance.next() * 0.4,
  delayMs: chance.pick([20, 200, 1500]),
})

/** What happens to server and tabs, apart from what people do. */
function happeningsOf(
  chance: Chance,
  server: Server,
  [first, ...others]: readonly Tab[],
  explained: Set<string>,
): (() => void)[] {
  if (!first) return []
  const someTab = () => chance.pick([first, ...others])
  let changes = 0
  /** A client that is told so often in a row that its page is outdated gives up, and asks the person. */
  const outdate = () => {
    changes++
    if (changes >= GIVE_UP_AFTER) explained.add('PAGE_EXPIRED')
  }
  const kinds = {
    offline() {
      const tab = someTab()
      tab.isOnline = !tab.isOnline
    },
    deploy() {
      // The old process may still be writing when a retry reaches the new one. A component that shares
      // its batch tells that by an error of its own.
      explained.add('OUTCOME_UNKNOWN').add('UPDATE_INVALID')
      outdate()
      server.deploy(chance.happens(0.5), 0)
    },
    rollingDeploy() {
      // The old node may answer so often that the client gives up, and asks the person.
      explained.add('PAGE_EXPIRED').add('OUTCOME_UNKNOWN').add('UPDATE_INVALID')
      server.deploy(chance.happens(0.5), chance.between(100, 3000))
    },
    rotation() {
      outdate()
      server.rotate()
      if (chance.happens(0.7)) server.keys.retire()
    },
    restart() {
      outdate()
      explained.add('OUTCOME_UNKNOWN').add('UPDATE_INVALID').add('SERVER_ERROR')
      server.restart(chance.between(50, 1500))
    },
    expiry() {
      explained.add('PAGE_EXPIRED')
      server.expire(someTab().session)
    },
  }
  return Object.values(kinds).flatMap((happening) =>
    Array.from({ length: chance.happens(0.3) ? chance.between(1, 2) : 0 }, () => happening),
  )
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
function stepsOf(chance: Chance, own: string, count: number, explained: Set<string>): Step[] {
  return Array.from({ length: count }, (_, at): Step => {
    const id = `${own}-${at}`
    const kind = chance.next()
    if (kind < 0.4) return typing(chance, id, at, explained)
    if (kind < 0.85) {
      const method = chance.pick<Method>(['mark', 'mark', 'add', 'add', 'bump', 'find'])
      return { kind: 'call', method, id }
    }
    if (kind < 0.93) return { kind: chance.pick(['hold', 'let go']), field: chance.pick(FIELDS) }
    return { kind: chance.pick(['refresh', 'retry']) }
  })
}

function typing(chance: Chance, id: string, at: number, explained: Set<string>): Step {
  const field: Field = chance.pick(FIELDS)
  const live = chance.happens(0.6)
  if (field !== 'quantity') return { kind: 'type', field, text: id, live }
  const isRefused = chance.happens(0.3)
  if (isRefused) explained.add('UPDATE_INVALID')
  return { kind: 'type', field, text: isRefused ? 'many' : String(at), live }
}

/** How everything must be once it has settled. */
function judge(tab: Tab, rows: readonly string[], violated: (what: string) => void): void {
  const { runtime, asked, typed } = tab
  if (!runtime) return violated('No page is shown in the end.')
  for (const { id, outcome } of asked) if (outcome === 'waiting') violated(`[${id}] never settled.`)
  const [desk, tally] = [
    runtime.component('desk').getState(),
    runtime.component('tally').getState(),
  ]
  const isRefused = typed.get('quantity') === 'many'
  const unconfirmed = desk.dirty.filter((path) => !(isRefused && path === 'quantity'))
  if (unconfirmed.length > 0) violated(`Not confirmed: ${unconfirmed.join(' ')}`)
  if (desk.pending || tally.pending) violated('A component still waits.')
  if (runtime.failures.getState()) violated('A failure is still shown.')
  const view = { search: typed.get('search') ?? '', rows: found(rows, typed.get('search') ?? '') }
  if (JSON.stringify(desk.view) !== JSON.stringify(view))
    violated(`The view is [${JSON.stringify(desk.view)}], the server has [${JSON.stringify(view)}]`)
  if (Object(tally.view).count !== rows.length) violated('The tally is another one.')
  const done = Array.isArray(desk.data['done']) ? desk.data['done'].map(String) : []
  for (const one of asked) judgeCall(one, { rows, done, wasTold: tab.wasTold }, violated)
}

/** What a call may have counted in, and whether the page has told that something failed. */
type Outcome = {
  readonly rows: readonly string[]
  readonly done: readonly string[]
  readonly wasTold: boolean
}

/**
 * A call that was done counts once, and one that was refused at most once. One whose document was left
 * goes on in the next, where it may be refused, too.
 */
function judgeCall(
  { id, method, outcome }: Asked,
  { rows, done, wasTold }: Outcome,
  violated: (what: string) => void,
): void {
  const times = (ids: readonly string[]) => ids.filter((other) => other === id).length
  const counts: number[] = []
  if (method === 'add' || method === 'bump') counts.push(times(rows))
  if (method === 'add' || method === 'mark') counts.push(times(done))
  for (const count of counts) {
    if (count > 1) violated(`[${id}] (${method}) counts ${count} times.`)
    if (count === 0 && (outcome === 'done' || (outcome === 'left' && !wasTold)))
      violated(`[${id}] (${method}) is lost, ${outcome}.`)
  }
}
