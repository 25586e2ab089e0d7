import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { ASSETS_PATH, loadClient } from './client-files.ts'

let folder: string

const write = (manifest: unknown) =>
  writeFileSync(
    join(folder, 'manifest.json'),
    typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
  )
const entry = {
  file: 'main-a1.js',
  isEntry: true,
  css: ['main-b2.css'],
  assets: ['plex-cyrillic-wdth-normal.woff2', 'plex-latin-wdth-normal.woff2', 'logo.svg'],
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-client-'))
})

describe('loadClient', () => {
  test('names the script, the styles and the one font of the entry', async () => {
    write({ 'chunk.ts': { file: 'chunk.js' }, 'main.tsx': entry })
    const { files, folder: read } = await loadClient(folder)
    expect(read).toBe(folder)
    expect(files).toEqual({
      script: `${ASSETS_PATH}main-a1.js`,
      styles: [`${ASSETS_PATH}main-b2.css`],
      fonts: [`${ASSETS_PATH}plex-latin-wdth-normal.woff2`],
    })
  })

  test('needs neither styles nor fonts', async () => {
    write({ 'main.tsx': { file: 'main.js', isEntry: true } })
    const { files } = await loadClient(folder)
    expect(files).toEqual({ script: `${ASSETS_PATH}main.js`, styles: [], fonts: [] })
  })

  test('tells builds apart by their version, and knows the same one again', async () => {
    write({ 'main.tsx': entry })
    const first = await loadClient(folder)
    expect((await loadClient(folder)).version).toBe(first.version)
    write({ 'main.tsx': { ...entry, file: 'main-c3.js' } })
    expect((await loadClient(folder)).version).not.toBe(first.version)
  })

  test('says which command to run where there is no build', async () => {
    await expect(loadClient(folder)).rejects.toThrow('Run `npm run build`')
    write({ 'chunk.ts': { file: 'chunk.js' } })
    await expect(loadClient(folder)).rejects.toThrow('has no entry. Run `npm run build`')
  })

  test.each(['', '[1]', '{"main.tsx":{}}', '{"main.tsx":{"file":1}}'])(
    'does not start with a manifest such as %j',
    async (manifest) => {
      write(manifest)
      await expect(loadClient(folder)).rejects.toThrow()
    },
  )
})
