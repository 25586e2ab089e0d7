/** Runs the components of one update concurrently, each after those whose events it listens to. */

import type { Outdated, Prepared } from '../lifecycle/prepare.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import { type Answered, type BatchEvent, run } from '../lifecycle/run.ts'
import type { GoingOn, LaterAnswers } from '../lifecycle/later.ts'

/** One component's part of the batch. */
export type Part = {
  /** That of the request; its signal also aborts when `abort` is called. */
  readonly scope: RequestScope
  readonly prepared: Prepared | Outdated
  /** Stops this part alone. */
  abort(): void
}

/** How the answers of slow parts are left to a later request. */
export type ForLater = Pick<LaterAnswers, 'after'> & {
  /** Keeps the answers of these parts; returns `false` if it cannot. */
  keep(places: readonly number[], goingOn: GoingOn): boolean
}

/** How long the parts that are done wait for the others before their answer leaves, ms. */
export const LATER_AFTER_MS = 100

/**
 * Answers all parts, in their order. A temporary failure of one fails them all, because the client
 * then retries the whole batch; every other failure is reported in its own part's answer.
 *
 * With `later`, slow parts do not delay the others: soon after the first parts are done, those that
 * still read are kept, and `null` stands in their place. A part that writes is waited for.
 */
export async function runBatch(
  parts: readonly Part[],
  later?: ForLater,
): Promise<(Answered | null)[]> {
  const answers = startAll(parts)
  // A part that is alone delays no other.
  if (parts.length === 1) return Promise.all(answers)
  const groups = linkedGroups(parts).map((places) => {
    // Each part has an answer.
    const settled = Promise.allSettled(places.map((place) => answers[place]!))
    const group = { places, settled, isDone: false }
    void settled.then(() => (group.isDone = true))
    return group
  })
  if (later) await soonAfterTheFirst(groups, later)
  const slow = groups.filter(
    ({ isDone, places }) => later && !isDone && !places.some(writes(parts)),
  )
  // Wait for all others, so that none is still running when the answer leaves.
  const others = groups.filter((group) => !slow.includes(group)).map(({ settled }) => settled)
  const failed = (await Promise.all(others)).flat().some(({ status }) => status === 'rejected')
  const kept = new Set<number>()
  for (const { places, settled } of failed ? [] : slow) {
    const goingOn = {
      answers: settled.then((all) => all.map(valueOf)),
      // The places are positions of parts.
      abort: () => places.forEach((place) => parts[place]!.abort()),
    }
    // The request that takes them handles the failure, if one does.
    goingOn.answers.catch(() => undefined)
    if (later?.keep(places, goingOn)) places.forEach((place) => kept.add(place))
  }
  const settled = await Promise.allSettled(
    answers.map(async (answer, place) => (kept.has(place) ? null : answer)),
  )
  return settled.map(valueOf)
}

function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Resolves once all are done, or a moment after the first. */
async function soonAfterTheFirst(
  groups: readonly { readonly settled: Promise<unknown> }[],
  { after }: Pick<ForLater, 'after'>,
): Promise<void> {
  const all = groups.map(({ settled }) => settled)
  if (all.length === 1) return void (await all[0])
  const soon = Promise.withResolvers<void>()
  const allDone = Promise.all(all)
  await Promise.race(all)
  const cancel = after(soon.resolve, LATER_AFTER_MS)
  await Promise.race([allDone, soon.promise])
  cancel()
}

/** Starts all parts; each runs once those that it waits for are done. */
function startAll(parts: readonly Part[]): Promise<Answered>[] {
  const started = new Map<number, Promise<Answered>>()
  const hasOthers = parts.length > 1
  function start(at: number): Promise<Answered> {
    const running = started.get(at)
    if (running) return running
    const sources = earlierSources(parts, at)
    const own = afterAll(sources.map(start)).then((done) =>
      runPart(
        // A position of a part.
        parts[at]!,
        // Each source is a position, too.
        sources.flatMap((source, place) => eventsOf(parts[source]!, done[place])),
      ),
    )
    started.set(at, own)
    return own
  }
  async function runPart(part: Part, events: readonly BatchEvent[]): Promise<Answered> {
    const { scope, prepared } = part
    if ('outdated' in prepared) return { snapshot: '', effects: prepared, view: null }
    return run(scope, prepared, { hasOthers, events })
  }
  return parts.map((_, at) => start(at))
}

const writes =
  (parts: readonly Part[]) =>
  (place: number): boolean => {
    // The place is a position of a part.
    const { prepared } = parts[place]!
    return 'outdated' in prepared || prepared.calls.some(({ action }) => action.kind === 'write')
  }

/** The positions of the parts, grouped so that no part listens to one of another group. */
function linkedGroups(parts: readonly Part[]): number[][] {
  const groups = parts.map((_, at) => new Set([at]))
  for (const at of parts.keys())
    for (const source of sourcesOf(parts, at)) {
      // There is a group for each part.
      const joined = new Set([...groups[at]!, ...groups[source]!])
      for (const place of joined) groups[place] = joined
    }
  return [...new Set(groups)].map((group) => [...group].toSorted((a, b) => a - b))
}

/** The sources that a part waits for; of parts that listen in a circle, the first one waits for none. */
function earlierSources(parts: readonly Part[], at: number): number[] {
  const waitsFor = (from: number, seen = new Set<number>()): Set<number> => {
    for (const source of sourcesOf(parts, from))
      if (!seen.has(source)) waitsFor(source, seen.add(source))
    return seen
  }
  return sourcesOf(parts, at).filter((source) => source < at || !waitsFor(source).has(at))
}

/** Positions of the other parts whose events this one listens to. */
function sourcesOf(parts: readonly Part[], at: number): number[] {
  // A position of a part.
  const { prepared } = parts[at]!
  if ('outdated' in prepared || prepared.component.on.size === 0) return []
  const listened = [...prepared.component.on.keys()]
  return parts.flatMap(({ prepared: other }, place) => {
    const isSource =
      place !== at &&
      !('outdated' in other) &&
      listened.some((event) => other.component.dispatches.has(event))
    return isSource ? [place] : []
  })
}

async function afterAll(answers: readonly Promise<Answered>[]): Promise<(Answered | undefined)[]> {
  const settled = await Promise.allSettled(answers)
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
}

function eventsOf({ prepared }: Part, answer: Answered | undefined): BatchEvent[] {
  if ('outdated' in prepared) return []
  const { dispatches = [] } = answer?.effects ?? {}
  return dispatches.map((event) => ({ ...event, from: prepared.memo.id }))
}
