import { expect, test } from 'vitest'
import { pageOf, simulateBrowser } from '../../test/simulated-browser.ts'
import type { PushState } from './channel-handlers.ts'
import { createListening } from './listening.ts'
import { createObservable } from './observable.ts'
import type { SocketEvents } from './push.ts'

const realtime = {
  ...{ key: 'app-key', host: null, cluster: null, path: '', noticedBy: 'version' as const },
  ...{ authUrl: '/broadcasting/auth', userAuthUrl: '/broadcasting/user-auth' },
}

function listening() {
  const browser = simulateBrowser()
  const sockets: SocketEvents[] = []
  const left: string[] = []
  const { listen } = createListening({
    environment: browser.environment,
    openPush(_address, events) {
      sockets.push(events)
      const nothing = () => {}
      return {
        ...{ connect: nothing, again: nothing, disconnect: nothing, subscribe: nothing },
        ...{ id: () => '1.2', unsubscribe: (name) => void left.push(name) },
      }
    },
    transport: { form: () => Promise.reject(new Error('Nothing is asked.')) },
    page: createObservable({ ...pageOf([]), realtime }),
    state: createObservable<PushState>('off'),
  })
  const errors = () =>
    browser.done.filter(({ what }) => what === 'error').map((one) => String(one.with))
  return { browser, listen, left, errors, socket: () => sockets[0]! }
}

test('channels that end with their session are reported as one, and left', async () => {
  const { browser, listen, left, errors, socket } = listening()
  const names = Array.from({ length: 12 }, (_, at) => `private-table.t${at}`)
  for (const name of names) listen(name, {})
  for (const name of names) socket().joined(name)
  for (const name of names) socket().refused(name)
  await browser.pass(10_000)
  expect(left).toEqual(names)
  expect(errors()).toEqual([expect.stringContaining(names.join(', '))])
  // Those that are refused once more are no news.
  socket().refused(names[0]!)
  await browser.pass(10_000)
  expect(errors()).toHaveLength(1)
})
