/** Draws a component: reads what its view shows, makes the view and seals the state. */

import type { JsonObject } from '../../protocol/json.ts'
import type { Memo } from '../../protocol/wire.ts'
import type { LoadContext } from '../component/component.ts'
import { declaredState, decodeProperties } from '../component/decode.ts'
import type { AnyComponent } from '../component/define.ts'
import { digestOf } from '../component/digest.ts'
import { toJsonText } from '../component/to-json.ts'
import type { RequestScope } from './request-scope.ts'
import type { ReadView } from './shared-views.ts'
import { sealSnapshot } from './snapshot.ts'

/** A drawn component. The snapshot's memo holds the digest of the view. */
export type Drawn = {
  readonly snapshot: string
  /** The view as JSON. */
  readonly view: string
  readonly digest: string
}

/** What is read for one person, and not kept for others. */
export type OwnDrawn = Drawn & {
  /** What the definition's view returned. */
  readonly returned: unknown
}

type Kept = Omit<Memo, 'view' | 'reads'>

/**
 * Reads, makes the view and seals the state that belongs to it. `dependsOn` runs before `load`, so
 * that a change in between makes the next refresh read again.
 */
export async function draw(
  scope: RequestScope,
  component: AnyComponent,
  context: LoadContext,
  memo: Kept,
): Promise<OwnDrawn> {
  const reads = await dependencyDigest(component, context)
  const { returned, ...read } = await readView(scope, component, context, memo)
  return { ...sealed(scope, component, { memo, reads }, read), returned }
}

/**
 * The same for a refresh, in which nothing has run: `null` where nothing has changed that the view
 * depends on. Where somebody else has been shown the same, it is not read again.
 */
export async function redraw(
  scope: RequestScope,
  component: AnyComponent,
  context: LoadContext,
  { reads: before, ...memo }: Omit<Memo, 'view'>,
): Promise<Drawn | null> {
  const reads = await dependencyDigest(component, context)
  if (reads !== null && reads === before) return null
  const read = async (): Promise<ReadView> => {
    const { returned: _, ...view } = await readView(scope, component, context, memo)
    return view
  }
  const sharedAs = reads === null ? null : component.sharedAs(context)
  if (sharedAs === null || !scope.views)
    return sealed(scope, component, { memo, reads }, await read())
  const { name, path, params = null } = memo
  const key = JSON.stringify([reads, sharedAs, name, path, params, context.state])
  return sealed(scope, component, { memo, reads }, await scope.views.find(key, read))
}

async function readView(
  scope: RequestScope,
  component: AnyComponent,
  context: LoadContext,
  { params: given = null }: Kept,
): Promise<ReadView & Pick<OwnDrawn, 'returned'>> {
  const { data, state: decided } = await component.load(context)
  await scope.turn?.()
  const state = decided
    ? { ...context.state, ...(await decodeProperties(component, given, decided)) }
    : context.state
  const { params, opened, locale, language, timeZone } = context
  const input = { state, data, params, opened, locale, language, timeZone }
  const returned: unknown = component.view(input)
  const view = toJsonText(component.name, 'its view', returned)
  return { state, view, returned, digest: digestOf(view) }
}

function sealed(
  scope: RequestScope,
  component: AnyComponent,
  { memo, reads }: { readonly memo: Kept; readonly reads: string | null },
  { state, ...view }: ReadView,
): Drawn {
  const drawn = { ...memo, view: view.digest, ...(reads !== null && { reads }) }
  if (scope.takesPatches) scope.sent?.keep(view)
  return { snapshot: seal(scope, component, state, drawn), ...view }
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
