/** Builds what the browser loads: `src/ui/main.tsx` and its style sheet, into `dist/assets`. */

import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressFolder } from './src/cli/client/compress-folder.ts'

/**
 * Most that the browser may have to load as script, bytes after compression: 82 kB as it comes, and
 * room for what each further language adds.
 */
const SCRIPT_BUDGET = 84_000

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
      const total = scriptSize(bundle, await compressFolder(dir))
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
