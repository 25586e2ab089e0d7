/** Builds what the browser loads: `src/ui/main.tsx` and its style sheet, into `dist/assets`. */

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Most that the browser may have to load as script, bytes after compression. */
const SCRIPT_BUDGET = 90_000

const compress = promisify(brotliCompress)

export default defineConfig({
  base: '/tablewire/assets/',
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
    async writeBundle({ dir = '.' }) {
      const names = (await readdir(dir)).filter((name) => /\.(js|css)$/.test(name))
      const sizes = await Promise.all(names.map((name) => compressFile(join(dir, name))))
      const scripts = sizes.filter((_, place) => names[place]?.endsWith('.js'))
      const total = scripts.reduce((sum, size) => sum + size, 0)
      console.log(`script: ${(total / 1000).toFixed(1)} of ${SCRIPT_BUDGET / 1000} kB with brotli`)
      if (total > SCRIPT_BUDGET) throw new Error('The script is over its budget.')
    },
  }
}

async function compressFile(path: string): Promise<number> {
  const text = await readFile(path)
  const small = await compress(text, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  })
  await writeFile(`${path}.br`, small)
  return small.length
}
