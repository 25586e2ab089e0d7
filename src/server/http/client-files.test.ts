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
  imports: ['_shared-e5.js'],
  assets: ['plex-cyrillic-wdth-normal.woff2', 'plex-latin-wdth-normal.woff2', 'logo.svg'],
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-client-'))
})

describe('loadClient', () => {
  test('names the script, the styles and the one font of the entry, and each language’s copy', async () => {
    const german = { file: 'de-d4.js', src: 'src/messages/de.ts', isDynamicEntry: true }
    const shared = { file: 'shared-e5.js' }
    write({ '_shared-e5.js': shared, 'src/messages/de.ts': german, 'main.tsx': entry })
    const { files, folder: read } = await loadClient(folder)
    expect(read).toBe(folder)
    expect(files).toEqual({
      script: `${ASSETS_PATH}main-a1.js`,
      imports: [`${ASSETS_PATH}shared-e5.js`],
      styles: [`${ASSETS_PATH}main-b2.css`],
      fonts: [`${ASSETS_PATH}plex-latin-wdth-normal.woff2`],
      messages: { de: `${ASSETS_PATH}de-d4.js` },
    })
  })

  test('names them where they are to be served', async () => {
    write({ 'main.tsx': entry })
    const { files, path } = await loadClient(folder, '/admin/assets/')
    expect(path).toBe('/admin/assets/')
    expect(files.script).toBe('/admin/assets/main-a1.js')
  })

  test('names the script for early keys, or the one that it refers to', async () => {
    const keys = { file: 'early-keys.js', src: 'src/ui/early-keys.ts', isEntry: true }
    write({ 'src/ui/early-keys.ts': keys, 'main.tsx': entry })
    const { files } = await loadClient(folder)
    expect([files.script, files.keys]).toEqual([
      `${ASSETS_PATH}main-a1.js`,
      `${ASSETS_PATH}early-keys.js`,
    ])
    const shared = { file: 'shared.js' }
    const outside = {
      ...keys,
      src: '../node_modules/tablewire/dist/ui/early-keys.js',
      imports: ['_shared.js'],
    }
    write({ 'main.tsx': entry, '_shared.js': shared, keys: outside })
    expect((await loadClient(folder)).files.keys).toBe(`${ASSETS_PATH}shared.js`)
  })

  test('needs neither styles nor fonts nor copy', async () => {
    write({ 'main.tsx': { file: 'main.js', isEntry: true } })
    const { files } = await loadClient(folder)
    const script = `${ASSETS_PATH}main.js`
    expect(files).toEqual({ script, imports: [], styles: [], fonts: [], messages: {} })
  })

  test('tells builds apart by their version, and knows the same one again', async () => {
    write({ 'main.tsx': entry })
    const first = await loadClient(folder)
    expect((await loadClient(folder)).version).toBe(first.version)
    write({ 'main.tsx': { ...entry, file: 'main-c3.js' } })
    expect((await loadClient(folder)).version).not.toBe(first.version)
  })

  test('says which command to run where there is no build', async () => {
    await expect(loadClient(folder)).rejects.toThrow('Run: npx tablewire build')
    write({ 'chunk.ts': { file: 'chunk.js' } })
    await expect(loadClient(folder)).rejects.toThrow('has no entry. Run: npx tablewire build')
  })

  test.each(['', '[1]', '{"main.tsx":{}}', '{"main.tsx":{"file":1}}'])(
    'does not start with a manifest such as %j',
    async (manifest) => {
      write(manifest)
      await expect(loadClient(folder)).rejects.toThrow()
    },
  )
})
