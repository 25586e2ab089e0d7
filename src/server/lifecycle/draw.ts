/** Draws a component: reads what its view shows, and makes the view of it. */

import type { JsonObject } from '../../protocol/json.ts'
import type { Memo } from '../../protocol/wire.ts'
import type { LoadContext } from '../component/component.ts'
import { declaredState, decodeProperties } from '../component/decode.ts'
import type { AnyComponent } from '../component/define.ts'
import { digestOf } from '../component/digest.ts'
import type { Life } from './life.ts'
import { sealSnapshot } from './snapshot.ts'

/** A component as it was drawn. The view is JSON, and its digest stands in the memo. */
export type Drawn = { readonly snapshot: string; readonly view: string; readonly digest: string }

/**
 * Reads, makes the view and seals the state that belongs to it. What the view depends on is named
 * before anything is read, so a change in between makes the next refresh read again.
 */
export async function draw(
  life: Life,
  component: AnyComponent,
  context: LoadContext,
  memo: Omit<Memo, 'view' | 'reads'>,
): Promise<Drawn> {
  const reads = await readsOf(component, context)
  const { data, state: decided } = await component.load(context)
  const state = decided
    ? { ...context.state, ...(await decodeProperties(component, memo.params ?? null, decided)) }
    : context.state
  const { params, opened, locale, language, timeZone } = context
  const view = toJson(component.view({ state, data, params, opened, locale, language, timeZone }))
  const digest = digestOf(view)
  const drawn = { ...memo, view: digest, ...(reads !== null && { reads }) }
  return { snapshot: seal(life, component, state, drawn), view, digest }
}

/** Whether nothing that the view was read from has changed since it was drawn. */
export async function stands(
  component: AnyComponent,
  context: LoadContext,
  { reads }: Memo,
): Promise<boolean> {
  return reads !== undefined && reads === (await readsOf(component, context))
}

/** What the view is read from and for whom, as a digest; `null` where nobody can tell. */
async function readsOf(component: AnyComponent, context: LoadContext): Promise<string | null> {
  const { locale, language, timeZone = null } = context
  const named = await component.dependsOn(context)
  return named === null ? null : digestOf(JSON.stringify([named, locale, language, timeZone]))
}

export const seal = (
  life: Life,
  component: AnyComponent,
  state: Readonly<JsonObject>,
  memo: Memo,
): string => sealSnapshot(life.keys, declaredState(component, memo.params ?? null, state), memo)

const toJson = (value: unknown): string => JSON.stringify(value) ?? 'null'
