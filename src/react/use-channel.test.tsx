/** Channels of a page that is drawn on the server, where nothing can arrive. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageOf } from '../../test/simulated-browser.ts'
import { createStaticRuntime } from '../client/static-runtime.ts'
import type { TypedChannel } from '../protocol/channels.ts'
import { RuntimeProvider } from './runtime-context.tsx'
import { useChannel, useConnection, useEvent, usePresence } from './use-channel.ts'

type Room = TypedChannel<{
  pattern: 'presence-room.{id}'
  events: { moved: { to: string } }
  member: { name: string }
}>

test('on the server, nobody is there, and nothing is connected', () => {
  function Drawn() {
    const at = ['presence-room.{id}', { id: '1' }] as const
    useChannel<Room>(...at, { moved: () => expect.unreachable() })
    useEvent<Room>(...at, 'moved', () => expect.unreachable())
    return JSON.stringify([usePresence<Room>(...at), useConnection()])
  }
  const runtime = createStaticRuntime(pageOf([]))
  const html = renderToString(
    <RuntimeProvider runtime={runtime}>
      <Drawn />
    </RuntimeProvider>,
  )
  expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual([{ members: [], me: null }, 'off'])
})
