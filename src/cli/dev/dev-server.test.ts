import { afterEach, expect, test, vi } from 'vitest'
import { createDevServer } from './dev-server.ts'

afterEach(() => void vi.restoreAllMocks())

test('what the server dies of is printed without its secrets', async () => {
  const printed: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  const dies = `throw new Error('postgres://ana:hunter2@db.example.org/shop cannot be reached')`
  const server = createDevServer(() => ['--eval', dies])
  await server.restart('code')
  await expect.poll(() => printed.join('')).toContain('@db.example.org/shop cannot be reached')
  await server.stop()
  expect(printed.join('')).not.toContain('hunter2')
})
