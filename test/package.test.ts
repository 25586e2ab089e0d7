/** The package as npm packs it, installed in an empty folder: it serves, and builds a client. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browse } from './embedding/guest.ts'

const ROOT = join(import.meta.dirname, '..')
/** npm may have to fetch what it does not have in its cache, ms. */
const INSTALL_MS = 240_000

/** What npm would run after an installation, and warns of. */
const INSTALL_SCRIPT = /^(?:pre|post)?(?:install|prepare|prepublish)$/

const folder = mkdtempSync(join(tmpdir(), 'tablewire-package-'))
const home = join(folder, 'home')
let packed: string[]
let server: ChildProcess | undefined

const packSchema = v.tuple([
  v.object({ filename: v.string(), files: v.array(v.object({ path: v.string() })) }),
])
const { devDependencies } = v.parse(
  v.looseObject({ devDependencies: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
)

/** Runs npm or what it has installed, as a person does who has this Node. */
function run(command: string, args: readonly string[], cwd = home) {
  const { NODE_ENV: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const npm = (...args: string[]) => run('npm', [...args, '--no-audit', '--no-fund'])
const tablewire = (...args: string[]) =>
  run(process.execPath, ['node_modules/tablewire/bin/tablewire.js', ...args])

beforeAll(() => {
  const pack = run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    ROOT,
  )
  const [{ filename, files }] = v.parse(packSchema, JSON.parse(pack.stdout))
  packed = files.map(({ path }) => path)
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "type": "module", "private": true }')
  const installed = npm('install', '--prefer-offline', join(folder, filename))
  expect(installed.status, installed.stderr).toBe(0)
  cpSync(join(ROOT, 'examples/tally'), home, {
    recursive: true,
    filter: (path) => !/dist-client|\.tablewire|\.sqlite|\.test\.ts/.test(path),
  })
}, INSTALL_MS)

afterAll(async () => {
  if (server && server.exitCode === null) {
    const over = new Promise((resolve) => server?.once('exit', resolve))
    server.kill('SIGTERM')
    await over
  }
  rmSync(folder, { recursive: true, force: true })
})

test('it holds what is built, and neither tests nor their data', () => {
  const roots = new Set(packed.map((path) => path.split('/')[0]))
  expect([...roots].toSorted()).toEqual([
    ...[
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'dist',
      'docs',
      'package.json',
    ],
  ])
  expect(packed.filter((path) => /\.test\.|\.sql|^test\//.test(path))).toEqual([])
})

test('it runs nothing when it is installed', () => {
  const path = join(home, 'node_modules/tablewire/package.json')
  const { scripts } = v.parse(
    v.looseObject({ scripts: v.record(v.string(), v.string()) }),
    JSON.parse(readFileSync(path, 'utf8')),
  )
  expect(Object.keys(scripts).filter((name) => INSTALL_SCRIPT.test(name))).toEqual([])
})

test('it holds the document that an ejected configuration names', () => {
  writeFileSync(join(home, 'empty.sqlite'), '')
  expect(tablewire('eject', 'empty.sqlite', '--out', 'ejected.config.ts').stderr).toBe('')
  const [document = ''] =
    /docs\/[\w-]+\.md/.exec(readFileSync(join(home, 'ejected.config.ts'), 'utf8')) ?? []
  expect(packed).toContain(document)
})

test('without Vite it says what a build needs, and Vite is not brought along', () => {
  const { status, stderr } = tablewire('build')
  expect([status, stderr]).toEqual([
    1,
    'Building needs Vite, which is not installed. Run: npm install --save-dev vite@8\n',
  ])
})

test(
  'with Vite it builds the client of a configuration',
  () => {
    const installed = npm(
      'install',
      '--prefer-offline',
      '--save-dev',
      ...['vite', '@types/react', '@types/node'].map((name) => `${name}@${devDependencies[name]}`),
    )
    expect(installed.status, installed.stderr).toBe(0)
    const { status, stdout, stderr } = tablewire('build')
    expect([status, stdout, stderr]).toEqual([0, 'Written: dist-client\n', ''])
  },
  INSTALL_MS,
)

test('what the example is written in has its types', () => {
  const compilerOptions = { lib: ['ES2024', 'DOM'], types: ['node', 'vite/client'], strict: true }
  const module = { module: 'NodeNext', jsx: 'react-jsx', noEmit: true, skipLibCheck: true }
  const rest = { allowImportingTsExtensions: true, verbatimModuleSyntax: true }
  const all = { compilerOptions: { ...compilerOptions, ...module, ...rest } }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(all))
  expect(run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', home])).toMatchObject({
    stdout: '',
    status: 0,
  })
})

test('it serves the page of that client, drawn on the server', async () => {
  const args = ['node_modules/tablewire/bin/tablewire.js', '--port', '0']
  const child = spawn(process.execPath, args, { cwd: home, stdio: ['ignore', 'pipe', 'inherit'] })
  server = child
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (/Sign in: \S+\n/.test(said)) break
  }
  const [, link = ''] = /Sign in: (\S+)\n/.exec(said) ?? []
  const { origin } = new URL(link)
  const form = await fetch(link)
  const [visitor = ''] = form.headers.getSetCookie()
  const [, token = ''] = /name="_token" value="([^"]+)"/.exec(await form.text()) ?? []
  const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
  const entered = await browse(origin, visitor.split(';', 1)[0]!).ask(link, {
    method: 'POST',
    body: new URLSearchParams({ _token: token, ...person }),
  })
  expect(entered.status).toBe(303)
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const html = await (await browse(origin, cookie).ask('/tally')).text()
  expect(html).toContain('<section aria-label="North gate">')
  expect(html).toContain('<output>12</output>')
  expect(html.replaceAll('<!-- -->', '')).toContain('<p>3 varieties, Cox before all others.</p>')
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? []
  const bundle = await (await fetch(new URL(script, origin))).text()
  expect(bundle).toContain('Crates at a time')
})
