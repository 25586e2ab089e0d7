/** Mounts a component on a page: its first state, allowed, read, drawn and sealed. */

import type { ComponentTypes } from '../../protocol/component-types.ts'
import type { Json } from '../../protocol/json.ts'
import type { PageComponent } from '../../protocol/page.ts'
import { decodeParams, decodeState } from '../component/decode.ts'
import type { Mounted } from '../component/define.ts'
import { draw } from './draw.ts'
import { allow, type Life, requestOf } from './life.ts'

/** Where on which page a component stands. */
export type Place = {
  /** Unique in its page. Default: the component's name. */
  readonly id?: string
  readonly path: string
  /** The query of the address that the page was asked for. Default: none. */
  readonly query?: URLSearchParams
}

/** A component on a page, whose view is known by its definition. */
export type TypedPageComponent<Types extends ComponentTypes> = PageComponent & {
  readonly view: Types['view']
}

/** Throws `FORBIDDEN` where the actor may not have it, and whatever `open` and `mount` throw. */
export async function mountComponent<Types extends ComponentTypes>(
  life: Life,
  { component, params: given }: Mounted<Types>,
  { id = component.name, path, query = new URLSearchParams() }: Place,
): Promise<TypedPageComponent<Types>> {
  const params = await decodeParams(component, given)
  const request = await requestOf(life, component, params, path)
  const first = await component.mount({ ...request, query })
  const context = { ...request, state: await decodeState(component, params, first) }
  await allow(component, context, { kind: 'view' })
  const { name } = component
  const memo = { id, name, path, ...life.binding, ...(params !== null && { params }) }
  const { snapshot, view } = await draw(life, component, context, memo)
  const [queries, listens] = [component.queries, [...component.on.keys()]]
  return {
    id,
    name,
    snapshot,
    // What the definition's view returns, as it has travelled.
    view: JSON.parse(view) as Json & Types['view'],
    ...(queries.length > 0 && { queries: [...queries] }),
    ...(listens.length > 0 && { listens }),
  }
}
