/** One update request: its shape, its limits, and the batch of components in it. */

import * as v from 'valibot'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { type Assets, UPDATE_LIMITS } from '../../protocol/wire.ts'
import { AppError, type Detail } from '../app-error.ts'
import type { RequestScope } from '../lifecycle/request-scope.ts'
import { prepare } from '../lifecycle/prepare.ts'
import type { Answered } from '../lifecycle/run.ts'
import { runBatch } from './batch.ts'

const json = v.custom<Json>(() => true)

/** The body of an update (spec §7). If any part has another shape, all of it is refused. */
const requestSchema = v.strictObject({
  _token: v.string(),
  components: v.pipe(
    v.array(
      v.strictObject({
        snapshot: v.string(),
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

const KEY = /^[\w-]{8,64}(\.\d{1,2})?$/

/** The batch's idempotency key, or `null` without one; throws for one of another form. */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  if (!KEY.test(header))
    throw new AppError('REQUEST_MALFORMED', { detail: ({ request }) => request.badKey })
  return header
}

/**
 * Answers a batch, as JSON. Every component is opened, authorized and decoded before the first one
 * runs, so a refusal at that stage changes nothing.
 */
export async function answerUpdate(
  scope: RequestScope,
  { components }: ParsedUpdate,
  key: string | null,
  assets: Assets,
): Promise<string> {
  const parts = []
  for (const [position, request] of components.entries()) {
    const ownKey = key !== null && components.length > 1 ? `${key}.${position}` : key
    parts.push(await prepare(scope, request, ownKey))
  }
  const answers = (await runBatch(scope, parts)).map(encodeAnswer)
  return `{"components":[${answers.join()}],"assets":${JSON.stringify(assets)}}`
}

/** Inserts the view, which is JSON already, without parsing it again. */
function encodeAnswer({ snapshot, effects, view }: Answered): string {
  const all = `{"snapshot":${JSON.stringify(snapshot)},"effects":${JSON.stringify(effects)}}`
  if (view === null) return all
  const open = all.slice(0, -'}}'.length)
  return `${open}${open.endsWith('{') ? '' : ','}"view":${view}}}`
}
