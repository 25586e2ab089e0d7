import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Admin, channelName, defineChannel, defineComponent } from '../../src/exports/index.ts'
import type { TypedChannel } from '../../src/exports/protocol.ts'
import { useChannel, useConnection, useEvent, usePresence } from '../../src/exports/react.ts'

type Tally = TypedChannel<{
  pattern: 'private-tally.{id}'
  events: { counted: { by: number }; closed: null }
  member: null
}>
type Room = TypedChannel<{
  pattern: 'presence-record.{table}.{key}'
  events: {}
  member: { name: string }
}>

// These tests check types; component.test.ts runs the compiler over this folder.
describe('useChannel', () => {
  test('knows the pattern, its parameters, and the detail of each event', () => {
    const use = () => {
      useChannel<Tally>('private-tally.{id}', { id: '1' }, {})
      useChannel<Tally>(
        'private-tally.{id}',
        { id: '1' },
        {
          counted: (detail) => expectTypeOf(detail).toEqualTypeOf<{ by: number }>(),
          closed: (detail) => expectTypeOf(detail).toEqualTypeOf<null>(),
        },
        { missed: () => undefined },
      )
      // @ts-expect-error That is another channel.
      useChannel<Tally>('private-tallies.{id}', { id: '1' }, {})
      // @ts-expect-error `id` is missing.
      useChannel<Tally>('private-tally.{id}', {}, {})
      // @ts-expect-error Parameters are texts.
      useChannel<Tally>('private-tally.{id}', { id: 1 }, {})
      // @ts-expect-error There is no such parameter.
      useChannel<Tally>('private-tally.{id}', { id: '1', key: '2' }, {})
      // @ts-expect-error There is no such event.
      useChannel<Tally>('private-tally.{id}', { id: '1' }, { opened: () => undefined })
      useChannel<Tally>(
        'private-tally.{id}',
        { id: '1' },
        // @ts-expect-error `by` is a number.
        { counted: ({ by }: { by: string }) => by },
      )
    }
    expect(use).toBeTypeOf('function')
  })
})

describe('useEvent', () => {
  test('knows the detail of its event', () => {
    const use = () => {
      useEvent<Tally, 'counted'>('private-tally.{id}', { id: '1' }, 'counted', ({ by }) =>
        expectTypeOf(by).toEqualTypeOf<number>(),
      )
      useEvent<Tally>('private-tally.{id}', { id: '1' }, 'closed', (detail) =>
        expectTypeOf(detail).toEqualTypeOf<{ by: number } | null>(),
      )
      // @ts-expect-error There is no such event.
      useEvent<Tally>('private-tally.{id}', { id: '1' }, 'opened', () => undefined)
      // @ts-expect-error `id` is missing.
      useEvent<Tally>('private-tally.{id}', {}, 'counted', () => undefined)
    }
    expect(use).toBeTypeOf('function')
  })
})

describe('usePresence', () => {
  test('knows what members tell of themselves', () => {
    const use = () => {
      const room = usePresence<Room>('presence-record.{table}.{key}', { table: 'a', key: 'b' })
      expectTypeOf(room.me).toEqualTypeOf<string | null>()
      expectTypeOf(room.members).toEqualTypeOf<
        readonly { readonly id: string; readonly info: { name: string } }[]
      >()
      // @ts-expect-error Only a presence channel has members.
      usePresence<Tally>('private-tally.{id}', { id: '1' })
    }
    expect(use).toBeTypeOf('function')
  })
})

test('useConnection tells one of four states', () => {
  expectTypeOf(useConnection).returns.toEqualTypeOf<
    'off' | 'connecting' | 'connected' | 'unavailable'
  >()
})

describe('a definition', () => {
  const shelfChannel = defineChannel('private-shelf.{shelf}', {
    authorize: ({ actor, params }) => actor.role !== 'viewer' && params.shelf !== 'cellar',
    events: { counted: v.object({ by: v.string() }) },
  })
  const roomChannel = defineChannel('presence-room.{room}', {
    authorize: () => true,
    member: ({ actor }) => ({
      role: actor.role === 'admin' ? ('admin' as const) : ('other' as const),
    }),
  })

  test('gives its types to the hooks, through `import type` alone', () => {
    const use = () => {
      useChannel<typeof shelfChannel>(
        'private-shelf.{shelf}',
        { shelf: '4' },
        { counted: (detail) => expectTypeOf(detail).toEqualTypeOf<{ by: string }>() },
      )
      // @ts-expect-error That is another channel.
      useChannel<typeof shelfChannel>('private-shelves.{shelf}', { shelf: '4' }, {})
      const { members } = usePresence<typeof roomChannel>('presence-room.{room}', { room: '7' })
      expectTypeOf(members[0]!.info.role).toEqualTypeOf<'admin' | 'other'>()
    }
    expect(use).toBeTypeOf('function')
  })

  test('gives them to whoever broadcasts', () => {
    const use = (admin: Admin) => {
      void admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 'Ada' })
      // @ts-expect-error `by` is a text.
      void admin.broadcast(shelfChannel, { shelf: '4' }, 'counted', { by: 4 })
      // @ts-expect-error There is no such event.
      void admin.broadcast(shelfChannel, { shelf: '4' }, 'lost', { by: 'Ada' })
      // @ts-expect-error `shelf` is missing.
      void admin.broadcast(shelfChannel, {}, 'counted', { by: 'Ada' })
      // @ts-expect-error Whoever joins a channel is authorized, so there are no public ones.
      defineChannel('shelf', { authorize: () => true })
    }
    expect(use).toBeTypeOf('function')
  })

  test('is that of docs/realtime.md', () => {
    const shelf = defineComponent({
      name: 'shelf',
      params: v.object({ shelf: v.string() }),
      state: {},
      channels: ({ params }) => [channelName('private-shelf.{shelf}', params)],
      authorize: () => true,
      mount: () => ({}),
      actions: {
        count: {
          kind: 'write',
          args: v.strictTuple([]),
          async run({ actor, params, effects }) {
            effects.broadcast(shelfChannel, params, 'counted', { by: actor.name })
            // @ts-expect-error `by` is a text.
            effects.broadcast(shelfChannel, params, 'counted', { by: 4 })
          },
        },
      },
      load: async ({ params }) => ({ data: { count: params.shelf.length } }),
      view: ({ data }) => ({ count: data.count }),
    })
    expect(shelf.name).toBe('shelf')
  })
})
