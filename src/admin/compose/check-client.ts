/** Compares the names in `defineClient` with the pages and kinds of the configuration. */

import { COLUMN_KINDS } from '../../protocol/table-view.ts'
import type { AddedNames } from '../../server/http/load-renderer.ts'
import type { Kind } from '../../table/definition/kind.ts'
import {
  type Problem,
  quoted,
  report,
  suggestion,
  within,
} from '../../table/definition/problems.ts'
import type { Page } from '../pages/page.ts'

/** What the browser calls the admin's own pages (`ui/pages/`). */
export const OWN_PAGES = ['list', 'record', 'you', 'no-tables', 'sign-in', 'link', 'error']

const FILE = 'tablewire.client.tsx'

export type Configured = { readonly pages: readonly Page[]; readonly kinds: readonly Kind[] }

/** A problem for each page and kind of the client that the configuration does not have. */
export function unknownNames({ pages, kinds }: Configured, added: AddedNames): Problem[] {
  const known = {
    pages: pages.map(({ name }) => name),
    kinds: kinds.map(({ name }) => name),
  }
  return [
    ...unknownOf({ what: 'page', list: 'pages' }, added.pages, known.pages, OWN_PAGES),
    ...unknownOf({ what: 'kind', list: 'kinds' }, added.kinds, known.kinds, COLUMN_KINDS),
  ]
}

type Sort = { readonly what: string; readonly list: 'pages' | 'kinds' }

/** `builtIn`: names of the admin's own, which a client cannot replace. */
function unknownOf(
  { what, list }: Sort,
  named: readonly string[],
  known: readonly string[],
  builtIn: readonly string[],
): Problem[] {
  return named
    .filter((name) => !known.includes(name))
    .map((name) => {
      const path = within(`defineClient.${list}`, name)
      if (builtIn.includes(name))
        return report(
          path,
          `${quoted(name)} is a ${what} of the admin’s own, which nothing replaces. Use another name in ${FILE}.`,
        )
      return report(
        path,
        `the configuration has no ${what} called ${quoted(name)}; it has ${known.length === 0 ? 'none' : namesText(known)}.${suggestion(name, known)} Change the name in ${FILE}, or add the ${what} to \`${list}\`.`,
      )
    })
}

/** A problem for each page that nothing draws. `drawn`: names of all pages with a view. */
export function undrawnPages(
  pages: readonly Page[],
  drawn: ReadonlySet<string>,
  added: AddedNames,
): Problem[] {
  return pages.flatMap(({ name }, at) => {
    if (drawn.has(name)) return []
    const others = added.pages.length > 0 ? `, which names ${namesText(added.pages)}` : ''
    return report(
      `pages[${at}]`,
      `nothing draws the page ${quoted(name)}. Name it in defineClient({ pages }) of ${FILE}${others}, then run: tablewire build`,
    )
  })
}

/** One remark about all kinds that the client does not draw, if there are any: it is no mistake. */
export function undrawnKinds(kinds: readonly Kind[], added: AddedNames): Problem[] {
  const names = kinds.map(({ name }) => name).filter((name) => !added.kinds.includes(name))
  if (names.length === 0) return []
  return [
    report(
      'kinds',
      `values are shown as text where a kind has no browser half: ${namesText(names)}. To draw them, add one to defineClient({ kinds }) of ${FILE}.`,
    ),
  ]
}

/** How many names a sentence lists. */
const LISTED = 12

function namesText(names: readonly string[]): string {
  const rest = names.length - LISTED
  return [...names.slice(0, LISTED).map(quoted), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}
