/** Draws a component: reads what its view shows, makes the view and seals the state. */

import type { JsonObject } from '../../protocol/json.ts'
import type { Memo } from '../../protocol/wire.ts'
import type { LoadContext } from '../component/component.ts'
import { declaredState, decodeProperties } from '../component/decode.ts'
import type { AnyComponent } from '../component/define.ts'
import { digestOf } from '../component/digest.ts'
import { toJsonText } from '../component/to-json.ts'
import type { RequestScope } from './request-scope.ts'
import { sealSnapshot } from './snapshot.ts'

/** A drawn component. The view is JSON; the snapshot's memo holds its digest. */
export type Drawn = { readonly snapshot: string; readonly view: string; readonly digest: string }

/**
 * Reads, makes the view and seals the state that belongs to it. `dependsOn` runs before `load`, so
 * that a change in between makes the next refresh read again.
 */
export async function draw(
  scope: RequestScope,
  component: AnyComponent,
  context: LoadContext,
  memo: Omit<Memo, 'view' | 'reads'>,
): Promise<Drawn> {
  const reads = await dependencyDigest(component, context)
  const { data, state: decided } = await component.load(context)
  const state = decided
    ? { ...context.state, ...(await decodeProperties(component, memo.params ?? null, decided)) }
    : context.state
  const { params, opened, locale, language, timeZone } = context
  const input = { state, data, params, opened, locale, language, timeZone }
  const view = toJsonText(component.name, 'its view', component.view(input))
  const digest = digestOf(view)
  const drawn = { ...memo, view: digest, ...(reads !== null && { reads }) }
  return { snapshot: seal(scope, component, state, drawn), view, digest }
}

/** Whether nothing that the view depends on has changed since it was drawn. */
export async function isUnchanged(
  component: AnyComponent,
  context: LoadContext,
  { reads }: Memo,
): Promise<boolean> {
  return reads !== undefined && reads === (await dependencyDigest(component, context))
}

/** Digest of what the view depends on and of its reader; `null` if the component does not say. */
async function dependencyDigest(
  component: AnyComponent,
  context: LoadContext,
): Promise<string | null> {
  const { locale, language, timeZone = null } = context
  const named = await component.dependsOn(context)
  return named === null ? null : digestOf(JSON.stringify([named, locale, language, timeZone]))
}

export const seal = (
  scope: RequestScope,
  component: AnyComponent,
  state: Readonly<JsonObject>,
  memo: Memo,
): string => sealSnapshot(scope.keys, declaredState(component, memo.params ?? null, state), memo)
