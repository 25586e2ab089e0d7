import { expect, test } from 'vitest'
import { loadPackage } from './optional-package.ts'

const missing = () => import(['a-package', 'nobody-has'].join('-')) as Promise<object>

test('a package that is missing is named, with what installs it', async () => {
  await expect(loadPackage('live events', 'a-package', missing)).rejects.toThrow(
    'The package “a-package” is missing for live events: install it with “npm install a-package”.',
  )
})

test('a package that is there is loaded, and one that fails says why', async () => {
  expect(await loadPackage('paths', 'node:path', () => import('node:path'))).toHaveProperty('join')
  const failing = () => Promise.reject(new Error('broken'))
  await expect(loadPackage('live events', 'a-package', failing)).rejects.toThrow('broken')
})
