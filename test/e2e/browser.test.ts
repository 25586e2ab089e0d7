import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from './browser.ts'

test('a context closes while a route still holds an answer, and no error is left', async () => {
  const errors: unknown[] = []
  const note = (error: unknown) => void errors.push(error)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
  onTestFinished(() => {
    process.removeListener('unhandledRejection', note)
    for (const other of others) process.on('unhandledRejection', other)
  })
  const server = createServer((_request, response) => response.end('late')).listen(0)
  onTestFinished(() => void server.close())
  // A server listens on a port.
  const { port } = server.address() as AddressInfo
  const context = await (await sharedBrowser()).newContext()
  const page = await context.newPage()
  const fetched = Promise.withResolvers<void>()
  const passed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  await page.route('**/late', async (route) => {
    const response = await route.fetch()
    fetched.resolve()
    await passed.promise
    const fulfilled = route.fulfill({ response })
    void fulfilled.catch(() => undefined).then(ended.resolve)
    await fulfilled
  })
  await page.evaluate((address) => {
    void fetch(address).catch(() => undefined)
  }, `http://127.0.0.1:${port}/late`)
  await fetched.promise
  // The answer is passed on while the context closes, when what it fetched is gone already.
  const dispose = context.request.dispose.bind(context.request)
  context.request.dispose = async (options) => {
    await dispose(options)
    passed.resolve()
    await ended.promise
  }
  await context.close()
  // An error that nobody takes is told in a turn of its own.
  await new Promise((resolve) => setImmediate(resolve))
  expect(errors).toEqual([])
})
