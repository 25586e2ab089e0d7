/** Types of a page that the browser imports with `import type`, without any server code. */

import type { Json } from './json.ts'

/** Carries the types of a page. The property is never there; only the compiler reads it. */
export type TypedPage<Data extends Json = Json, Slot extends string = string> = {
  readonly '~page'?: { readonly data: Data; readonly slot: Slot }
}

/**
 * Props of a page's React component: the `data` of its definition, and the ids of its components by
 * slot, for `useComponent`.
 *
 * @example
 * export function TallyPage({ components }: PageProps<typeof tallyPage>) {
 *   const { view, call } = useComponent<typeof tally>(components.left)
 *   return <button onClick={() => call.add(1)}>{view.count}</button>
 * }
 */
export type PageProps<Page extends TypedPage> =
  Page extends TypedPage<infer Data, infer Slot>
    ? { readonly data: Data; readonly components: { readonly [slot in Slot]: string } }
    : never
