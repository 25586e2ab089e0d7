import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingBuildError } from './missing-build-error.ts'
import { loadClient } from './client-files.ts'
import { loadRenderer } from './load-renderer.ts'

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'tablewire-hint-'))))
afterEach(() => rm(root, { recursive: true }))

const said = (path: string) => missingBuildError('Nothing is here.', { path, root }).message

test('the installed package is installed again, a clone is built', async () => {
  const manifest = join(root, 'dist/assets/manifest.json')
  expect(said(manifest)).toMatch(/Install it again: npm install tablewire --force$/)
  await mkdir(join(root, 'src'))
  expect(said(manifest)).toBe('Nothing is here. Run: npm run build')
})

test('everything else is built by the command', async () => {
  expect(said(join(root, 'dist-client/browser'))).toBe('Nothing is here. Run: npx tablewire build')
  await expect(loadClient(root)).rejects.toThrow(
    /^There is no client build at .* Run: npx tablewire build$/,
  )
  await expect(loadRenderer(join(root, 'render.js'))).rejects.toThrow(/Run: npx tablewire build$/)
})
