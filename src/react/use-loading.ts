/** Says whether a component, one of its actions or a property is waiting for the server. */

import type { WaitingFor } from '../client/component.ts'
import type { ComponentTypes, Typed, TypesOf, WritablePath } from '../protocol/component-types.ts'
import { LOADING_DELAYS_MS } from '../protocol/constants.ts'
import type { Json } from '../protocol/json.ts'
import { isAround } from '../protocol/path.ts'
import { useRuntime } from './runtime-context.tsx'
import { useStore } from './use-component.ts'
import { useDelayed } from './use-delayed.ts'

/** Presets from 50 ms (`shortest`) to 1000 ms (`longest`); `default` is 200 ms (spec §4). */
export type LoadingDelay = keyof typeof LOADING_DELAYS_MS

type ActionTarget<Types extends ComponentTypes> = {
  [Name in keyof Types['actions'] & string]: {
    readonly action: Name
    /** Only calls that begin with these arguments. Default: all calls. */
    readonly args?: Partial<Types['actions'][Name]['args']>
  }
}[keyof Types['actions'] & string]

export type LoadingOptions<Types extends ComponentTypes> = {
  /** Waits that are shorter show nothing. Default: `default`, 200 ms. */
  readonly delay?: LoadingDelay
} & (
  | { readonly action?: undefined; readonly property?: undefined }
  | ActionTarget<Types>
  | { readonly property: WritablePath<Types> }
)

/** What is asked about: the whole component if neither is given. */
type Target = {
  readonly action?: string | undefined
  readonly args?: readonly unknown[]
  readonly property?: string | undefined
}

/**
 * Whether the person has been waiting for long enough to be told. It ends with each answer, also of
 * an update that has failed. Give it to the element that was pressed, as `aria-busy`.
 *
 * @example
 * const isSaving = useLoading<typeof tally>('tally', { action: 'save' })
 * return <button aria-busy={isSaving} onClick={() => call.save()}>Save</button>
 *
 * @example
 * useLoading<typeof board>(id, { action: 'close', args: [row.key], delay: 'short' })
 * useLoading<typeof board>(id, { property: 'search', delay: 'none' })
 */
export function useLoading<Component extends Typed>(
  id: string,
  options: LoadingOptions<TypesOf<Component>> = {},
): boolean {
  const { waitingFor } = useRuntime().component(id)
  const isWaiting = useStore({
    subscribe: waitingFor.subscribe,
    getState: () => isAmong(waitingFor.getState(), options),
    getInitialState: () => false,
  })
  return useDelayed(isWaiting, LOADING_DELAYS_MS[options.delay ?? 'default'])
}

function isAmong({ calls, paths }: WaitingFor, { action, args, property }: Target): boolean {
  if (property !== undefined)
    return paths.some((path) => isAround(path, property) || isAround(property, path))
  if (action === undefined) return calls.length > 0 || paths.length > 0
  return calls.some(({ method, params }) => method === action && beginsWith(params, args))
}

/** Compares the arguments as they are sent. */
const beginsWith = (params: readonly Json[], args: readonly unknown[] = []): boolean =>
  args.every((arg, at) => JSON.stringify(params[at]) === JSON.stringify(arg))
