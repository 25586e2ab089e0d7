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
  test('names the script, the styles and the one font of the entry, and each language’s copy', async () => {
    const german = { file: 'de-d4.js', src: 'src/messages/de.ts', isDynamicEntry: true }
    write({ 'chunk.ts': { file: 'chunk.js' }, 'src/messages/de.ts': german, 'main.tsx': entry })
    const { files, folder: read } = await loadClient(folder)
    expect(read).toBe(folder)
    expect(files).toEqual({
      script: `${ASSETS_PATH}main-a1.js`,
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

  test('needs neither styles nor fonts nor copy', async () => {
    write({ 'main.tsx': { file: 'main.js', isEntry: true } })
    const { files } = await loadClient(folder)
    const script = `${ASSETS_PATH}main.js`
    expect(files).toEqual({ script, styles: [], fonts: [], messages: {} })
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
