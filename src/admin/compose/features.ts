/** The other origins that an admin loads from, for the content security policy of its pages. */

import type { IncomingMessage } from 'node:http'
import type { Actor } from '../../server/actor.ts'
import type { Feature } from '../../server/http/sources.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import type { Page } from '../pages/page.ts'

/** Who makes a request; `undefined` where nobody is signed in. */
export type ActorOf = (request: IncomingMessage) => Actor | undefined

/**
 * Columns that are declared to hold pictures may hold any web address. Only readers who may see such a
 * column get the source: the header would tell the others about columns that are hidden from them.
 */
const pictures = (catalog: () => Catalog, actorOf: ActorOf): Feature => ({
  sources: { img: ['https:', 'http:'] },
  isUsed(request) {
    const actor = actorOf(request)
    if (!actor) return false
    const { policy, readable } = catalog()
    return readable(actor).some((definition) => {
      const pictures = picturesOf(definition)
      if (pictures.length === 0) return false
      const granted = policy.grant(actor, definition.table).readable
      return pictures.some((name) => granted.includes(name))
    })
  },
})

const pictureColumns = new WeakMap<TableDefinition, readonly string[]>()

/** Every document asks for those of all tables. */
function picturesOf(definition: TableDefinition): readonly string[] {
  const known =
    pictureColumns.get(definition) ??
    [...definition.columns.values()].flatMap(({ name, loads }) => (loads ? name : []))
  pictureColumns.set(definition, known)
  return known
}

/**
 * A document outlives the page that it was loaded for, because the client fetches the next pages in
 * place; so every document may load what any page needs.
 */
const pageSources = ({ sources }: Page): Feature => ({ sources, isUsed: () => true })

/** Another server, such as one of live events, is for those who are signed in, as its address is. */
const connections = (origin: string, actorOf: ActorOf): Feature => ({
  sources: { connect: [origin] },
  isUsed: (request) => actorOf(request) !== undefined,
})

/** `connected` are the origins of other servers that pages send to. */
export const featuresOf = (
  catalog: () => Catalog,
  actorOf: ActorOf,
  pages: readonly Page[],
  connected: readonly string[],
): readonly Feature[] => [
  pictures(catalog, actorOf),
  ...pages.map(pageSources),
  ...connected.map((origin) => connections(origin, actorOf)),
]
