/** The pages that the sidebar lists. */

import type { RailItem } from '../../protocol/admin-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Addresses } from '../addresses.ts'
import type { Page } from './page.ts'

/** The pages with `rail: true` that the actor may see, in their order. */
export const railPages =
  (pages: readonly Page[], { prefix }: Addresses) =>
  async (actor: Actor): Promise<RailItem[]> => {
    const listed = pages.filter(({ rail }) => rail)
    const seen = await Promise.all(listed.map(async (page) => page.authorize({ actor })))
    return listed
      .filter((_, at) => seen[at])
      .map(({ name, path, title = path }) => ({
        name,
        label: title,
        href: prefix + path,
        count: null,
      }))
  }
