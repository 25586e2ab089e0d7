/** The component that names who else is on a table or a record, as far as the policy lets it. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type { PersonView, PresenceComponent } from '../../protocol/presence-view.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import type { Policy } from '../../table/source/access.ts'
import type { Presence } from './presence.ts'

/** `key` is that of a record's address; `null` on a list. */
export type PresenceParams = { readonly table: string; readonly key: string | null }

export type PresenceServices = {
  readonly presence: Presence
  readonly policy: Policy
  catalog(): Catalog
}

/** As many as a presence channel has members at most, and the longest that one tells of itself. */
const sealedNames = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1024))), v.maxLength(100))

/** Its view is `null` where the table has no channels. It depends on nothing that changes. */
export const createPresenceComponent = ({
  presence,
  policy,
  catalog,
}: PresenceServices): Component<PresenceParams, TypesOf<PresenceComponent>> =>
  defineComponent({
    name: 'presence',
    params: v.object({ table: v.string(), key: v.nullable(v.string()) }),
    state: {},
    open: ({ actor, params }) => catalog().open(actor, params.table),
    authorize: ({ opened }) => opened.access.may('read'),
    mount: () => ({}),
    actions: {
      people: {
        kind: 'query',
        args: v.strictTuple([sealedNames]),
        async run({ actor, params, opened, language }, sealed): Promise<PersonView[]> {
          const { presence: words } = messagesFor(language)
          const isRecord = recordOf(presence, params, opened) !== null
          return sealed.map((text) => {
            const person = presence.open(params.table, text)
            const isTold = person && (policy.tellsName?.(actor, person) ?? true)
            const name = isTold ? person.name : null
            const shown = name ?? words.somebody
            const here = isRecord ? words.looking(shown) : words.here(shown)
            return { name, here, idle: words.idle(shown) }
          })
        },
      },
    },
    view({ params, opened, language }) {
      const { presence: words } = messagesFor(language)
      const names = presence.ofTable(params.table)
      if (!names) return null
      const record = recordOf(presence, params, opened)
      return { ...names, record, label: record === null ? words.label : words.onRecord }
    },
  })

/** The channel of the page's record, if it has one. */
function recordOf(
  presence: Presence,
  { table, key }: PresenceParams,
  { keys }: OpenTable,
): string | null {
  const row = key === null ? null : keys.read(key)
  return row && presence.ofRow(table, row)
}
