import * as v from 'valibot'
import { expect, test } from 'vitest'
import { channelName } from '../../protocol/channels.ts'
import type { Actor } from '../actor.ts'
import { defineComponent } from '../component/define.ts'
import { testComponent } from '../component/test-component.ts'
import { broadcastOf, defineChannel } from './channel.ts'

const actor: Actor = { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'admin' }

const shelfChannel = defineChannel('private-shelf.{shelf}', {
  authorize: () => true,
  events: { counted: v.strictObject({ by: v.string() }) },
})

const shelf = defineComponent({
  name: 'shelf',
  state: { count: v.number() },
  authorize: () => true,
  mount: () => ({ count: 0 }),
  channels: () => [channelName('private-shelf.{shelf}', { shelf: 'a.b' })],
  actions: {
    count: {
      args: v.strictTuple([]),
      run({ state, effects, actor: { name } }) {
        state.count++
        effects.broadcast(shelfChannel, { shelf: 'a.b' }, 'counted', { by: name })
      },
    },
    fail: {
      args: v.strictTuple([]),
      run({ effects }) {
        effects.broadcast(shelfChannel, { shelf: 'a.b' }, 'counted', { by: 'nobody' })
        throw new Error('The shelf has fallen.')
      },
    },
    read: {
      kind: 'query',
      args: v.strictTuple([]),
      run: ({ effects }) =>
        effects.broadcast(shelfChannel, { shelf: 'a.b' }, 'counted', { by: 'nobody' }),
    },
  },
  view: ({ state }) => ({ count: state.count }),
})

test('an action broadcasts once it has succeeded, and a test sees what', async () => {
  const page = await testComponent(shelf, { actor })
  await page.call.count()
  const counted = { channel: 'private-shelf.a=2Eb', name: 'counted', detail: { by: 'Ana' } }
  expect(page.broadcasts).toEqual([counted])
  await page.refresh()
  expect(page.broadcasts).toEqual([])
  await expect(page.call.fail()).rejects.toThrow('fallen')
  expect(page.broadcasts).toEqual([])
})

test('a query only answers', async () => {
  const page = await testComponent(shelf, { actor })
  await expect(page.call.read()).rejects.toThrow('declare a command')
})

test('an event that is not declared, and a detail that its schema refuses, are not sent', async () => {
  await expect(broadcastOf(shelfChannel, { shelf: '4' }, 'lost', null)).rejects.toThrow(
    'The channel [private-shelf.{shelf}] does not declare the event [lost].',
  )
  await expect(broadcastOf(shelfChannel, { shelf: '4' }, 'counted', null)).rejects.toMatchObject({
    code: 'ARGUMENTS_INVALID',
  })
  await expect(broadcastOf(shelfChannel, {}, 'counted', { by: 'Ana' })).rejects.toThrow(
    'needs a text for {shelf}',
  )
})

test('a member tells its name, unless the channel says what else, and be it nothing', async () => {
  const subject = { actor, params: {}, signal: new AbortController().signal }
  const told = (options: Pick<Parameters<typeof defineChannel>[1], 'member'>) =>
    defineChannel('presence-room', { authorize: () => true, ...options }).member(Object(subject))
  expect(await told({})).toEqual({ name: 'Ana' })
  expect(await told({ member: () => null })).toBe(null)
})
