import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildClient } from './build-client.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablewire-build-'))
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src', 'work.txt'), 'mine')
})
afterEach(() => rm(folder, { recursive: true }))

test.each(['src', '.', '..'])(
  'a build into [%s] replaces no files of its own accord',
  async (out) => {
    const entry = join(folder, 'tablewire.client.tsx')
    await expect(buildClient({ entry, out: join(folder, out) })).rejects.toThrow(
      /holds other files than a build, and a build would replace them/,
    )
    expect(await readFile(join(folder, 'src', 'work.txt'), 'utf8')).toBe('mine')
  },
)
