/** Builds what the browser loads: `src/ui/main.tsx` and its style sheet, into `dist/assets`. */

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** Most that the browser may have to load as script, bytes after compression. */
const SCRIPT_BUDGET = 90_000

const compress = promisify(brotliCompress)

export default defineConfig({
  // Files find each other wherever they are served: the admin may have a prefix.
  base: './',
  publicDir: false,
  plugins: [compressed()],
  build: {
    target: 'es2022',
    // Browsers that know `light-dark()`, which is not rewritten for older ones.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    outDir: 'dist/assets',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'src/ui/main.tsx' },
  },
})

/** Writes a `.br` beside each text file, so that a static server need not compress. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '.' }, bundle) {
      const names = (await readdir(dir)).filter((name) => /\.(js|css)$/.test(name))
      const sizes = await Promise.all(names.map((name) => compressFile(join(dir, name))))
      const total = scriptSize(bundle, new Map(names.map((name, at) => [name, sizes[at]!])))
      console.log(`script: ${(total / 1000).toFixed(1)} of ${SCRIPT_BUDGET / 1000} kB with brotli`)
      if (total > SCRIPT_BUDGET) throw new Error('The script is over its budget.')
    },
  }
}

/** What a browser loads at most: all scripts, but the catalogue of one language only. */
function scriptSize(bundle: Rolldown.OutputBundle, sizes: ReadonlyMap<string, number>): number {
  const scripts = Object.values(bundle).filter((file) => file.type === 'chunk')
  const [catalogues, others] = [
    scripts.filter(isCatalogue),
    scripts.filter((it) => !isCatalogue(it)),
  ]
  const size = ({ fileName }: Rolldown.OutputChunk) => sizes.get(fileName) ?? 0
  return Math.max(...catalogues.map(size)) + others.reduce((sum, file) => sum + size(file), 0)
}

const isCatalogue = ({ facadeModuleId }: Rolldown.OutputChunk): boolean =>
  facadeModuleId?.includes('/src/messages/') ?? false

async function compressFile(path: string): Promise<number> {
  const text = await readFile(path)
  const small = await compress(text, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  })
  await writeFile(`${path}.br`, small)
  return small.length
}
