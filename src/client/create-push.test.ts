import { expect, test, vi } from 'vitest'
import { pageOf, settle, simulateBrowser } from '../../test/simulated-browser.ts'
import { createRuntime } from './create-runtime.ts'

test('where the script of channels cannot be loaded, that is logged once, and tried less and less often', async () => {
  let tries = 0
  vi.doMock('./live-push.ts', () => {
    tries++
    throw new Error('It is not there.')
  })
  const browser = simulateBrowser()
  const realtime = {
    ...{ key: 'app-key', host: null, cluster: null, path: '', noticedBy: 'version' as const },
    ...{ authUrl: '/broadcasting/auth', userAuthUrl: '/broadcasting/user-auth' },
  }
  const { push } = createRuntime({ ...pageOf([]), realtime }, browser.environment)
  push.listen('private-table.orders', {})
  await vi.waitFor(() => expect(push.state.getState()).toBe('unavailable'))
  const triesIn = async (ms: number) => {
    const before = tries
    for (let at = 0; at < ms; at += 10_000) {
      await browser.pass(10_000)
      await vi.dynamicImportSettled()
      await settle()
    }
    return tries - before
  }
  expect(await triesIn(10 * 60_000)).toBe(5)
  expect(await triesIn(60 * 60_000)).toBeLessThanOrEqual(7)
  expect(browser.done.filter(({ what }) => what === 'error')).toHaveLength(1)
})
