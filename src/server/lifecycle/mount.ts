/** Mounts a component on a page: makes its first state, authorizes, reads, draws and seals. */

import type { ComponentTypes } from '../../protocol/component-types.ts'
import type { Json } from '../../protocol/json.ts'
import type { PageComponent } from '../../protocol/page.ts'
import { decodeParams, decodeState } from '../component/decode.ts'
import type { Mounted } from '../component/define.ts'
import { afterJson } from '../component/to-json.ts'
import { draw, type OwnDrawn, seal } from './draw.ts'
import { allow, type RequestScope, requestOf } from './request-scope.ts'

/** The page that a component is mounted on, and its id there. */
export type Place = {
  /** Unique in its page. Default: the component's name. */
  readonly id?: string
  readonly path: string
  /** The query of the requested address. Default: none. */
  readonly query?: URLSearchParams
}

/** A component on a page, with the view type of its definition. */
export type TypedPageComponent<Types extends ComponentTypes> = PageComponent & {
  readonly view: Types['view']
}

/** Throws `FORBIDDEN` if the actor may not see it, and whatever `open` and `mount` throw. */
export async function mountComponent<Types extends ComponentTypes>(
  scope: RequestScope,
  { component, params: given, lazy }: Mounted<Types>,
  { id = component.name, path, query = new URLSearchParams() }: Place,
): Promise<TypedPageComponent<Types>> {
  const params = await decodeParams(component, given, `slot [${id}] of the page at [${path}]`)
  const request = await requestOf(scope, component, params, path)
  const first = await component.mount({ ...request, query })
  const context = { ...request, query, state: await decodeState(component, params, first) }
  await allow(component, context, { kind: 'view' })
  const { name } = component
  const memo = { id, name, path, ...scope.binding, ...(params !== null && { params }) }
  const { snapshot, view, returned }: Omit<OwnDrawn, 'digest'> = lazy
    ? {
        snapshot: seal(scope, component, context.state, { ...memo, view: '' }),
        view: 'null',
        returned: null,
      }
    : await draw(scope, component, context, memo)
  const [queries, listens] = [component.queries, [...component.on.keys()]]
  const channels = component.channels(context)
  return {
    id,
    name,
    snapshot,
    // What the definition's view returns, after JSON.
    view: afterJson(returned, view) as Json & Types['view'],
    ...(lazy && { lazy }),
    ...(queries.length > 0 && { queries: [...queries] }),
    ...(listens.length > 0 && { listens }),
    ...(channels.length > 0 && { channels: [...channels] }),
    ...(!component.yields && { yields: false }),
  }
}
