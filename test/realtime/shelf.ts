/** A counter of an admin's own, which broadcasts on a channel, as tests of live events need one. */

import { join } from 'node:path'
import * as v from 'valibot'
import type { AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { page } from '../../src/admin/pages/page.ts'
import { channelName } from '../../src/protocol/channels.ts'
import { defineChannel } from '../../src/server/channel/channel.ts'
import { defineComponent } from '../../src/server/component/define.ts'
import { writeClient } from '../own-client.ts'

/** Names of people who may not watch shelves. */
export const banned = new Set<string>()

export const shelfChannel = defineChannel('private-shelf.{shelf}', {
  authorize: ({ actor }) => !banned.has(actor.name),
  events: { counted: v.strictObject({ by: v.string() }) },
})

export const roomChannel = defineChannel('presence-room.{room}', { authorize: () => true })

const shelf = defineComponent({
  name: 'shelf',
  state: {},
  authorize: () => true,
  mount: () => ({}),
  channels: () => [channelName('private-shelf.{shelf}', { shelf: '4' })],
  actions: {
    count: {
      kind: 'write',
      args: v.strictTuple([]),
      run: ({ effects, actor }) =>
        effects.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: actor.name }),
    },
  },
  view: () => null,
})

/** The action on its page, for `Person.call`. */
export const COUNT = { path: '/shelf', component: 'shelf', method: 'count' }

/** Options of an admin with that page. */
export const withShelf = async (folder: string): Promise<Partial<AdminOptions>> => ({
  components: [shelf],
  channels: [shelfChannel, roomChannel],
  pages: [page('/shelf', { title: 'Shelf', components: { shelf: shelf.with() } })],
  client: await writeClient(join(folder, 'client'), `{ '/shelf': () => null }`),
})
