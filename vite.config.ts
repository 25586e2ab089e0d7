/** Builds what the browser loads: `src/ui/main.tsx` and its style sheet, into `dist/assets`. */

import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressFolder } from './src/cli/client/compress-folder.ts'

/** Most that the browser may have to load as script for a list, bytes after compression. */
const SCRIPT_BUDGET = 102_000

/** Modules of `src/ui` that are loaded when they are needed, by how their paths begin. */
const LATER = [
  'bulk/',
  'cells/',
  'columns/',
  'copying/',
  'changes/changes-dialog',
  'commands/(dialogs|forget|key-(caps|map)|palette|recent|use-(find|groups))',
  'corrections/(?!correct-context)',
  'early',
  'filters/',
  'history/',
  'jobs/',
  'kinds/(binary|datetime|file-value|longtext|own|text)',
  'live/(?!presence\\.)',
  'list/(display-choices|filter-menu-trigger|head-menu-buttons|kept-out|left-rows|link-arrow|list-(commands|work)|long-(press|wait)|restore-focus|table-keys|tooltip|use-(chip-focus|drawn\\.|focus-in-sight|place-focus|sheet-focus))',
  'moments/',
  'pages/(corrections|error|further|history|link|new-|no-|people|record|roles|second|sign|ticket|you)',
  'peek/',
  'people/',
  'pictures/',
  'parts/(dialog-actions|fact-list|failure-dialog|field|hidden-columns|icon-tips|is-shortcut|keep-popups|leaving-guard|modal|say|tooltip|use-tooltip)',
  'record',
  'second/',
  'reorder/(?!reorder-mode)',
  'shell/(forget|rail-(menu|parts|tooltip)|shell-(parts|work))',
  'saved-views/(differences|use-saved|view-(dialogs|form|order|work))',
  'selection/(export-(check|choice|dialog)|selection-work|selection-commands|use-answers)',
  'upload/',
  'you/',
]

/** What listens to channels: loaded after the page is live, and only where it listens. */
const PUSH =
  'attention|authorization|connection|interaction|listening|live-push|page-refreshes|presence|push'

/** What sends files: loaded with the fields for them. */
const UPLOADS = 'remote-file|upload|upload-request|send-pieces'

/** Whether the first page needs the module, and not only what is loaded later. */
const isFirst = new RegExp(
  [
    'node_modules/(?!(pusher-js|filepond|@simplewebauthn)/)|preload-helper|src/(react|protocol)/(?!(add-numbers|date-format|export|file-size|filters|form-(sections|view)|job-view|numbers|patch|plan-view|reorder|shown-days|typed|typed-numbers|upload|use-(held-view|poll|upload))\\.)',
    `src/client/(?!(poll|${PUSH}|${UPLOADS})\\.)`,
    `src/ui/(?!${LATER.join('|')})`,
  ].join('|'),
)

export default defineConfig({
  // Files find each other wherever they are served: the admin may have a prefix.
  base: './',
  publicDir: false,
  plugins: [plainImports(), socketLibrary(), compressed()],
  build: {
    target: 'es2022',
    // Browsers that know `light-dark()`, which is not rewritten for older ones.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    outDir: 'dist/assets',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    // What it makes is smaller than the default's, by what a part of a page takes.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      module: true,
      // Nothing here reads a property for what that does, or calls with `new` a method of a literal or a
      // function expression that has no `this`.
      compress: {
        passes: 2,
        inline: 1,
        pure_getters: true,
        unsafe_arrows: true,
        unsafe_methods: true,
      },
    },
    manifest: 'manifest.json',
    // The document preloads what the entry needs; what comes later has no dependencies of its own.
    modulePreload: false,
    rolldownOptions: {
      // Making scripts small takes most of a build, as it should.
      checks: { pluginTimings: false },
      input: ['src/ui/main.tsx', 'src/ui/early-keys.ts'],
      // One file for all that the first page needs compresses better than many small ones.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'first', test: isFirst }],
        },
      },
    },
  },
})

/** Vite wraps each `import()` to preload what the file needs; ours need nothing more. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js')
        ? 'export const __vitePreload = (load) => load()'
        : undefined,
  }
}

/**
 * Makes an ES module of the library for sockets: as CommonJS, which comes later, it would need helpers
 * in the file that all pages load first.
 */
function socketLibrary(): Plugin {
  return {
    name: 'socket-library',
    transform: {
      filter: { id: /\/pusher-js\/dist\/web\/pusher\.js$/ },
      handler: (code) => `const module = { exports: {} }, { exports } = module;
${code}
export default module.exports`,
    },
  }
}

/** Writes a `.br` beside each text file, so that a static server need not compress. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '.' }, bundle) {
      assertWhole(bundle)
      const total = scriptSize(bundle, await compressFolder(dir, 'in many ways'))
      console.log(`script: ${(total / 1000).toFixed(1)} of ${SCRIPT_BUDGET / 1000} kB with brotli`)
      if (total > SCRIPT_BUDGET) throw new Error('The script is over its budget.')
    },
  }
}

/** Throws where the first page needs what `LATER` names: its file, and the style sheet with it, would be two. */
function assertWhole(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entries = chunks.filter(({ isEntry }) => isEntry)
  const names = new Set(entries.map(({ fileName }) => fileName))
  const others = entries.flatMap(({ imports }) => imports.filter((name) => !names.has(name)))
  if (others.length > 0)
    throw new Error(`The entry is not whole: it imports ${others.join(', ')}. See LATER.`)
}

/** What a list page loads at most: the entries, all that they import, and the English copy. */
function scriptSize(bundle: Rolldown.OutputBundle, sizes: ReadonlyMap<string, number>): number {
  const scripts = Object.values(bundle).filter((file) => file.type === 'chunk')
  const size = ({ fileName }: Rolldown.OutputChunk) => sizes.get(fileName) ?? 0
  const needed = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (needed.has(chunk)) return
    needed.add(chunk)
    // Not `dynamicImports`: those are loaded when they are needed.
    for (const name of chunk.imports) scripts.filter((it) => it.fileName === name).forEach(add)
  }
  scripts.filter(({ isEntry }) => isEntry).forEach(add)
  scripts.filter(isEnglish).forEach(add)
  return [...needed].reduce((sum, it) => sum + size(it), 0)
}

const isEnglish = ({ facadeModuleId }: Rolldown.OutputChunk): boolean =>
  facadeModuleId?.endsWith('/src/messages/en.ts') ?? false
