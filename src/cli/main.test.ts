import { expect, test, vi } from 'vitest'
import { main } from './main.ts'

test('pages are drawn without checks for developers, unless somebody wants them', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const [unset, wanted]: NodeJS.ProcessEnv[] = [{}, { NODE_ENV: 'development' }]
  await main(['--version'], unset)
  await main(['--version'], wanted)
  expect([unset!['NODE_ENV'], wanted!['NODE_ENV']]).toEqual(['production', 'development'])
})
