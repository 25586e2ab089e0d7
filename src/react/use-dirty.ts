/** Says whether there are edits that the server has not confirmed. */

import type { Typed, TypesOf, WritablePath } from '../protocol/component-types.ts'
import { isAround } from '../protocol/path.ts'
import { useRuntime } from './runtime-context.tsx'
import { useStore } from './use-component.ts'

/**
 * Whether the property at `path` has an unconfirmed edit; without a path, whether any has.
 *
 * @example
 * const isDirty = useDirty<typeof note>('note', 'title')
 * return <input {...field('title')} data-dirty={isDirty || undefined} />
 */
export function useDirty<Component extends Typed>(
  id: string,
  path?: WritablePath<TypesOf<Component>>,
): boolean {
  const component = useRuntime().component(id)
  return useStore({
    subscribe: component.subscribe,
    getState: () => {
      const { dirty } = component.getState()
      if (path === undefined) return dirty.length > 0
      return dirty.some((edited) => isAround(edited, path) || isAround(path, edited))
    },
    getInitialState: () => false,
  })
}
