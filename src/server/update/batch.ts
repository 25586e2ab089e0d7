/** Runs the components of one update concurrently, each after those whose events it listens to. */

import type { RequestScope } from '../lifecycle/request-scope.ts'
import type { Outdated, Prepared } from '../lifecycle/prepare.ts'
import { type Answered, type BatchEvent, run } from '../lifecycle/run.ts'

type Part = Prepared | Outdated

/**
 * Answers all parts, in their order. A temporary failure of one fails them all, because the client
 * then retries the whole batch; every other failure is reported in its own part's answer.
 */
export async function runBatch(scope: RequestScope, parts: readonly Part[]): Promise<Answered[]> {
  const started = new Map<number, Promise<Answered>>()
  const hasOthers = parts.length > 1

  function start(at: number): Promise<Answered> {
    const running = started.get(at)
    if (running) return running
    const sources = earlierSources(parts, at)
    const own = afterAll(sources.map(start)).then((done) =>
      runPart(
        parts[at]!,
        sources.flatMap((source, place) => eventsOf(parts[source]!, done[place])),
      ),
    )
    started.set(at, own)
    return own
  }

  async function runPart(part: Part, events: readonly BatchEvent[]): Promise<Answered> {
    if ('outdated' in part) return { snapshot: '', effects: part, view: null }
    return run(scope, part, { hasOthers, events })
  }

  // Wait for all of them, so that none is still running when the answer leaves.
  const settled = await Promise.allSettled(parts.map((_, at) => start(at)))
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
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
  const part = parts[at]!
  if ('outdated' in part || part.component.on.size === 0) return []
  const listened = [...part.component.on.keys()]
  return parts.flatMap((other, place) => {
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

function eventsOf(part: Part, answer: Answered | undefined): BatchEvent[] {
  if ('outdated' in part) return []
  const { dispatches = [] } = answer?.effects ?? {}
  return dispatches.map((event) => ({ ...event, from: part.memo.id }))
}
