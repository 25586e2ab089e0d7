/** One update request: its shape, its limits, and the batch of components in it. */

import * as v from 'valibot'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { type Assets, type ComponentRequest, UPDATE_LIMITS } from '../../protocol/wire.ts'
import { AppError, type Detail } from '../app-error.ts'
import { digestOf } from '../component/digest.ts'
import { sendBroadcasts } from '../lifecycle/broadcasts.ts'
import type { GoingOn } from '../lifecycle/later.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import { outdated, prepare } from '../lifecycle/prepare.ts'
import type { Answered } from '../lifecycle/run.ts'
import { type Part, runBatch } from './batch.ts'

const json = v.custom<Json>(() => true)

/** The body of an update (spec §7). If any part has another shape, all of it is refused. */
const requestSchema = v.strictObject({
  _token: v.string(),
  components: v.pipe(
    v.array(
      v.strictObject({
        snapshot: v.string(),
        // The body was parsed as JSON, so every part of it is.
        updates: v.custom<JsonObject>((value) => isJsonObject(value as Json)),
        calls: v.array(v.strictObject({ method: v.string(), params: v.array(json) })),
      }),
    ),
    v.minLength(1),
    v.maxLength(UPDATE_LIMITS.components),
  ),
})

export type ParsedUpdate = v.InferOutput<typeof requestSchema>

/** Checks shape and limits; throws `REQUEST_INVALID`. The token is checked by the caller. */
export function parseUpdate(body: Json): ParsedUpdate {
  const result = v.safeParse(requestSchema, body)
  if (!result.success) throw misshapen(v.getDotPath(result.issues[0]) ?? 'body')
  const { components } = result.output
  const calls = components.reduce((sum, { calls }) => sum + calls.length, 0)
  const updates = components.reduce((sum, { updates }) => sum + Object.keys(updates).length, 0)
  if (calls > UPDATE_LIMITS.calls)
    throw invalid(({ request }, number) => request.tooManyCalls(number(UPDATE_LIMITS.calls)))
  if (updates > UPDATE_LIMITS.updates)
    throw invalid(({ request }, number) => request.tooManyUpdates(number(UPDATE_LIMITS.updates)))
  return result.output
}

const invalid = (detail: Detail) => new AppError('REQUEST_INVALID', { detail })

const misshapen = (part: string) => invalid(({ request }) => request.at(part))

/** A batch's own key, and after it the position of a part that is asked for alone. */
const KEY = /^[\w-]{8,64}(\.\d{1,2}){0,2}$/

/** The batch's idempotency key, or `null` without one; throws for one of another form. */
export function parseIdempotencyKey(sent: string | readonly string[] | undefined): string | null {
  if (sent === undefined) return null
  const header = String(sent)
  if (!KEY.test(header))
    throw new AppError('REQUEST_MALFORMED', { detail: ({ request }) => request.badKey })
  return header
}

/**
 * Answers a batch, as JSON. Every component is opened, authorized and decoded before the first one
 * runs, so a refusal at that stage changes nothing. A part that takes long is answered as `later`,
 * with the key under which the client asks for it.
 */
export async function answerUpdate(
  scope: RequestScope,
  { components }: ParsedUpdate,
  key: string | null,
  assets: Assets,
): Promise<string> {
  const earlier = key === null ? undefined : await answeredEarlier(scope, components, key)
  const answers = earlier ?? (await answerBatch(scope, components, key))
  const broadcasts = answers.flatMap(({ broadcasts = [] }) => broadcasts)
  if (broadcasts.length > 0) await sendBroadcasts(scope, broadcasts)
  return encode(answers, assets)
}

/** Answers a batch of which nothing may run: the page has to be fetched anew. */
export async function answerOutdated(
  scope: RequestScope,
  { components }: ParsedUpdate,
  key: string | null,
  assets: Assets,
): Promise<string> {
  const answers = components.map(async (request, position): Promise<Answered> => {
    const effects = await outdated(scope, request, partKey(key, components, position))
    return { snapshot: '', effects, view: null }
  })
  return encode(await Promise.all(answers), assets)
}

/** The idempotency key of one part of a batch. */
const partKey = (key: string | null, parts: readonly unknown[], position: number): string | null =>
  key !== null && parts.length > 1 ? `${key}.${position}` : key

const encode = (answers: readonly Answered[], assets: Assets): string =>
  `{"components":[${answers.map(encodeAnswer).join()}],"assets":${JSON.stringify(assets)}}`

/** The answers that an earlier request left behind, once they are ready. */
async function answeredEarlier(
  scope: RequestScope,
  components: readonly ComponentRequest[],
  key: string,
): Promise<Answered[] | undefined> {
  const goingOn = scope.later?.take(() => laterName(scope, key, components))
  if (!goingOn) return undefined
  scope.signal.addEventListener('abort', goingOn.abort, { once: true })
  return goingOn.answers
}

async function answerBatch(
  scope: RequestScope,
  components: readonly ComponentRequest[],
  key: string | null,
): Promise<Answered[]> {
  const parts: Part[] = []
  for (const [position, request] of components.entries()) {
    const ownKey = partKey(key, components, position)
    const own = components.length > 1 ? stoppable(scope) : { scope, abort() {} }
    parts.push({ ...own, prepared: await prepare(own.scope, request, ownKey) })
  }
  const laterKeys = new Map<number, string>()
  const { later } = scope
  const forLater = later && {
    after: later.after,
    keep(places: readonly number[], goingOn: GoingOn) {
      const own = `${key}.${places[0]}`
      // There are as many components as parts.
      const asked = places.map((place) => components[place]!)
      if (!later.keep(scope.actor.id, laterName(scope, own, asked), goingOn)) return false
      for (const place of places) laterKeys.set(place, own)
      return true
    },
  }
  // Without a key, the client could not ask for them.
  const answers = await runBatch(parts, key === null ? undefined : forLater)
  return answers.map((answer, place) => {
    const later = laterKeys.get(place)
    // Only a part that is kept for later has no answer.
    if (later === undefined) return answer!
    // There are as many components as answers.
    return { snapshot: components[place]!.snapshot, effects: { later }, view: null }
  })
}

/** The scope with a signal that `abort` fires as well. */
function stoppable(scope: RequestScope): Pick<Part, 'scope' | 'abort'> {
  const stop = new AbortController()
  const signal = AbortSignal.any([scope.signal, stop.signal])
  return { scope: { ...scope, signal }, abort: () => stop.abort() }
}

/** Only the same request of the same person, in the same session, finds what was kept. */
const laterName = (
  { actor, binding }: RequestScope,
  key: string,
  components: readonly ComponentRequest[],
): string => JSON.stringify([actor.id, binding.lineage, key, digestOf(JSON.stringify(components))])

/** Inserts the view, which is JSON already, without parsing it again. */
function encodeAnswer({ snapshot, effects, view }: Answered): string {
  const all = `{"snapshot":${JSON.stringify(snapshot)},"effects":${JSON.stringify(effects)}}`
  if (view === null) return all
  const open = all.slice(0, -'}}'.length)
  return `${open}${open.endsWith('{') ? '' : ','}"view":${view}}}`
}
