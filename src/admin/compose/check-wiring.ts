/** Checks how components are put together: the events they listen to, and the parameters of pages. */

import { paramsMistake } from '../../server/component/decode.ts'
import type { AnyComponent } from '../../server/component/define.ts'
import {
  type Problem,
  quoted,
  report,
  suggestion,
  within,
} from '../../table/definition/problems.ts'
import type { Page } from '../pages/page.ts'

/** A component, and where the configuration names it. */
export type PlacedComponent = { readonly component: AnyComponent; readonly path: string }

/** A problem for each event that a component listens to and none dispatches. */
export function checkEvents(placed: readonly PlacedComponent[]): Problem[] {
  const dispatched = new Set(placed.flatMap(({ component }) => [...component.dispatches.keys()]))
  const components = placed.filter(
    ({ component }, at) => placed.findIndex((other) => other.component === component) === at,
  )
  return components.flatMap(({ component: { name, on }, path }) =>
    [...on.keys()]
      .filter((event) => !dispatched.has(event))
      .map((event) =>
        report(
          within(`${path}.on`, event),
          `${quoted(name)} listens to ${quoted(event)}, which no component dispatches; ${dispatched.size === 0 ? 'none declares an event in `dispatches`' : `dispatched are ${[...dispatched].map(quoted).join(', ')}`}.${suggestion(event, dispatched)}`,
        ),
      ),
  )
}

/**
 * A problem for each slot whose parameters its component cannot have. Where a page makes its
 * components for each request, they are checked when it is drawn.
 */
export async function checkParams(pages: readonly Page[]): Promise<Problem[]> {
  const slots = pages.flatMap(({ path, slots }, at) =>
    Object.entries(slots).map(([slot, mounted]) => ({ path, at, slot, ...mounted })),
  )
  const problems = await Promise.all(
    slots.map(async ({ path, at, slot, component, params }) => {
      const mistake = await paramsMistake(component, params)
      if (mistake === undefined) return []
      return report(
        within(`pages[${at}].components`, slot),
        `the page ${quoted(path)} gives ${quoted(component.name)} params that do not fit their schema: ${mistake}`,
      )
    }),
  )
  return problems.flat()
}
